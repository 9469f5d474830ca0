/**
 * In place of pdf.js's whole viewer, of which react-pdf wants these two to follow links within a document. They are used
 * where annotations are drawn, which no page here does, and each page with a PDF would load all of that viewer for them.
 */

export class EventBus {}

export class SimpleLinkService {}
