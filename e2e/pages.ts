/** Every page of the web app, each with an address at which it shows something. */
import { createEndpoint } from "#lib/webhooks/endpoints.ts";
import { NewEndpoint } from "#lib/webhooks/schema.ts";
import { draft, linkOf, sent, type Workspace } from "./signing.ts";
import { templateIn } from "./templates.ts";

/** The ids of what the pages show. */
export interface Shown {
  /** Has a document that was sent to two signers. */
  contractId: string;
  versionId: string;
  counterpartyId: string;
  templateId: string;
  /** A signature request that was sent. */
  envelopeId: string;
  /** A signature request that was not sent. */
  draftId: string;
  endpointId: string;
  /** The path of a signer's link. */
  signing: string;
}

/** Creates something for every page in the workspace, which already has the counterparty. */
export async function somethingToShow(workspace: Workspace, counterpartyId: string): Promise<Shown> {
  const { ctx } = workspace;
  const envelope = await sent(workspace, [{ name: "Ann Ames" }, { name: "Ben Brook", orderIndex: 1 }]);
  const { id: draftId } = await draft(workspace, [{ name: "Ann Ames" }]);
  const template = await templateIn(
    ctx,
    ["# The parties", "{customer} buys {goods} from {vendor}.", "# Term", "{months} months."],
    { name: "Supply agreement", contractType: "MSA", ourRole: "VENDOR" },
  );
  const { endpoint } = await createEndpoint(
    ctx,
    NewEndpoint.parse({ url: "https://receiver.example/hook", events: ["contract.created"] }),
  );
  return {
    contractId: envelope.contractId,
    versionId: envelope.documentVersionId,
    counterpartyId,
    templateId: template.id,
    envelopeId: envelope.id,
    draftId,
    endpointId: endpoint.id,
    signing: await linkOf(workspace, envelope),
  };
}

export interface WebPage {
  name: string;
  path: string;
  /** Whether a visitor who is not signed in opens it. */
  isPublic?: boolean;
}

const settings =
  "workspace members custom-fields approvals assistants api-keys webhooks audit plan profile notifications sessions";

export function pagesOf(shown: Shown): WebPage[] {
  const contract = `/contracts/${shown.contractId}`;
  const template = `/templates/${shown.templateId}`;
  const members = {
    home: "/home",
    inbox: "/inbox",
    approvals: "/approvals",
    contracts: "/contracts",
    "one contract": contract,
    "one version": `${contract}/versions/${shown.versionId}`,
    "compare versions": `${contract}/compare`,
    "send a contract": `${contract}/send`,
    "new contract": "/contracts/new",
    "upload documents": "/contracts/upload",
    "import contracts": "/contracts/import",
    obligations: "/obligations",
    calendar: "/obligations/calendar",
    counterparties: "/counterparties",
    "one counterparty": `/counterparties/${shown.counterpartyId}`,
    templates: "/templates",
    "one template": template,
    "edit a template": `${template}/edit`,
    "use a template": `${template}/use`,
    signatures: "/signatures",
    "one request": `/signatures/${shown.envelopeId}`,
    "one draft": `/signatures/${shown.draftId}/edit`,
    settings: "/settings",
    ...Object.fromEntries(settings.split(" ").map((name) => [`settings, ${name}`, `/settings/${name}`])),
    "one webhook endpoint": `/settings/webhooks/${shown.endpointId}`,
    workspaces: "/workspaces",
  };
  const visitors = {
    start: "/",
    "sign-in": "/sign-in",
    "sign-up": "/sign-up",
    "forgotten password": "/forgotten-password",
    "reset the password": "/reset-password/a-link",
    invitation: "/invite/a-link",
    "confirm an address": "/confirm/a-link",
    unsubscribe: "/unsubscribe/a-link",
    "identity confirmed": "/identity-confirmed",
    verify: "/verify",
    signing: shown.signing,
  };
  return [
    ...Object.entries(members).map(([name, path]) => ({ name, path })),
    ...Object.entries(visitors).map(([name, path]) => ({ name, path, isPublic: true })),
  ];
}
