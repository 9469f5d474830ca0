/** The text that a signer agrees to before signing. Its hash is stored with every consent. */
import { hash } from "node:crypto";

export const consentText = [
  "You are about to read and sign a document electronically. By agreeing you accept that your electronic signature has the same effect as one by hand, and that the document, and what belongs to it, reach you electronically.",
  "Paper: you may have the document on paper instead. Ask the sender, whose name and address stand on this page; they tell you whether that costs anything.",
  "Withdrawing: until you finish signing you can withdraw at any time. Choose “Decline”, or close this page and tell the sender. What others have signed by then is not affected.",
  "What you need: a current browser, a connection to the internet, an e-mail address, and a program that shows PDF files, so that you can read and keep the signed document. Everyone who signed gets it.",
  "What is recorded: your name and e-mail address, the times at which you opened, agreed and signed, your IP address, and the browser that you use. All of it stands on the document's certificate, which every signer gets.",
] as const;

export const consentHash = hash("sha256", consentText.join("\n"), "hex");
