/** Whether renewal wording means automatic renewal: not if it is negated, or if it needs someone's action. */

const automatic =
  /\bautomatic(?:ally)?\b|\btacit(?:ly)?\b|\bshall (?:thereafter )?(?:be )?(?:renew|extend)(?:ed)?\b|\bwill (?:thereafter )?(?:be )?(?:renew|extend)(?:ed)?\b|\bthereafter\b[^.;]{0,60}\b(?:renew|continue|from year to year|month to month|successive)|\bdeemed (?:to (?:be|have been) )?(?:renewed|extended)\b|\bfrom (?:year|month) to (?:year|month)\b|\bevergreen\b|\bunless (?:either|one|a|any|the other|written|it is|sooner)\b[^.;]{0,60}\b(?:notif|notice|terminat|cancel|advis|object)|\buntil terminated\b/i;

/** "Either party may give notice that it shall not renew" is no negation: without the notice it renews. */
const unlessDone =
  "(?<!\\b(?:unless|if|until|when|where|whether|in the event|noti\\w{1,9}|inten\\w{1,6}|elect\\w{0,4}|desir\\w{1,3}|wish\\w{0,3}|advis\\w{1,3}|inform\\w{0,3}|decid\\w{1,3}|request\\w{0,3})\\b[^;]{0,250})";
const denied = new RegExp(
  [
    `\\b(?:shall|will|do|does|is|are|can|may|must|be|and|but|or)\\s(?:not|never)\\b${unlessDone}\\s(?:[\\w-]+\\s){0,3}?(?:automatic|tacit|renew|exten[ds])`,
    `\\bcannot\\b${unlessDone}\\s(?:[\\w-]+\\s){0,3}?(?:automatic|tacit|renew|exten[ds])`,
    `\\b(?:no|without(?: any)?)${unlessDone}\\s(?:right of |provision for )?(?:automatic|tacit)`,
    `\\b(?:nor|in no event|in no case|under no circumstances)\\b${unlessDone}[^;,]{0,60}\\b(?:automatic|tacit|renew|exten[ds])`,
    `\\b(?:automatic|tacit)\\s(?:renewal|extension)s?\\s(?:[\\w-]+\\s){0,3}?(?:not|excluded|prohibited|disclaimed)\\b`,
  ].join("|"),
  "i",
);

/** Things that are agreed or requested besides the renewal: its end, its price, another length. */
const ofOtherThings =
  "(?<!\\b(?:unless|except|until|otherwise|other|or|such|as|terminat\\w{1,5}|cancel\\w{0,8}|amend\\w{0,4}|modif\\w{1,7}|chang\\w{1,3}|adjust\\w{0,4}|pric\\w{1,3}|fees?|rates?|assign\\w{0,4})\\b[^,;]{0,60})";
const agreed =
  "(?:(?:mutual(?:ly)?|joint(?:ly)?|written|express(?:ly)?|prior)\\s(?:[\\w-]+\\s){0,3}?(?:agree|consent|approv|amendment|instrument)|agreement (?:in writing|(?:of|between|by|among) (?:the|both|all)\\b)|(?:the|both|all) parties(?: hereto)?\\s(?:[\\w-]+\\s){0,3}?(?:agree|consent)|(?:consent|approval) of\\b)";
/** Even what is called automatic is not if both must agree to it. */
const needsAgreement = new RegExp(
  `\\b(?:only|solely|by|upon|on|with|through|subject to|if|when|where|provided that|in the event(?: that| of)?)\\b${ofOtherThings}\\s(?:[\\w'()-]+\\s){0,5}?${agreed}|\\b(?:renew|exten[ds])\\w{0,4}\\b[^;]{0,80}?\\b(?:only|solely) (?:if|by|upon|with|when|where|after|pursuant)\\b(?!\\s(?:[\\w']+\\s){0,4}?(?:neither|no|not)\\b)`,
  "i",
);
const asked = new RegExp(
  `\\bat${ofOtherThings} (?:the |its |their |[\\w.]+'s? )(?:sole |exclusive )?(?:option|election|discretion|request)\\b|\\b(?:up)?on${ofOtherThings} (?:the )?(?:[\\w']+\\s){0,3}?(?:request|exercise|election)\\b`,
  "i",
);
const byItself = /\bautomatic(?:ally)?\b|\btacit(?:ly)?\b|\bevergreen\b/i;

/** Where another independent clause may begin: "shall not renew automatically; it may be extended". */
const clauseEnds =
  /;|,?\s(?=(?:and|but)\s(?:it\s|the\s\w+\s|this\s\w+\s)?(?:may|can|shall|will)\b)|,\s(?=provided\b|however\b)/i;

export function renewsAutomatically(sentence: string): boolean {
  if (!automatic.test(sentence)) return false;
  const clauses = sentence.split(clauseEnds);
  const saying = clauses.filter((clause) => automatic.test(clause));
  // The words that indicate renewal are spread over several clauses.
  return saying.length > 0 ? !saying.every(takesAnAct) : !clauses.some(takesAnAct);
}

const takesAnAct = (clause: string) =>
  denied.test(clause) || needsAgreement.test(clause) || (!byItself.test(clause) && asked.test(clause));
