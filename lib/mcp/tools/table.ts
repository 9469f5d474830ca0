/** All tools of assistants, chosen deliberately: assistants can do nothing else. */

import { setContractStatus, updateContract } from "./contract-changes.ts";
import { createContract, getContract } from "./contracts.ts";
import { findCounterparties, getCounterparty } from "./counterparties.ts";
import { compareVersions, readDocument } from "./documents.ts";
import { listObligations, saveObligation } from "./obligations.ts";
import { getAnalytics, listAuditEvents } from "./overview.ts";
import { searchContracts } from "./search.ts";
import { getSignatureRequest, listSignatureRequests } from "./signatures.ts";
import { listTemplates } from "./templates.ts";
import type { AnyTool } from "./tool.ts";

export const tools: readonly AnyTool[] = [
  searchContracts,
  getContract,
  readDocument,
  compareVersions,
  listObligations,
  saveObligation,
  findCounterparties,
  getCounterparty,
  createContract,
  updateContract,
  setContractStatus,
  listSignatureRequests,
  getSignatureRequest,
  listTemplates,
  getAnalytics,
  listAuditEvents,
];

const byName = new Map(tools.map((tool) => [tool.name, tool]));

export const findTool = (name: string): AnyTool | undefined => byName.get(name);
