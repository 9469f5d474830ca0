/**
 * Replaces pdf.js's viewer, from which react-pdf imports these two classes to follow links within a document. They are
 * only used to draw annotations, which no page here does, and would make each page with a PDF load the whole viewer.
 */

export class EventBus {}

export class SimpleLinkService {}
