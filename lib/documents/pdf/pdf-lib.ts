/**
 * Loads pdf-lib from its single-file bundle: that takes a third of the time of its two hundred modules, and every
 * document is read in a process of its own.
 */
import { createRequire } from "node:module";
import type * as PdfLib from "@cantoo/pdf-lib";
import { projectPath } from "#lib/core/root.ts";

const require = createRequire(import.meta.url);
/** The package does not export this file. */
const bundle = projectPath("node_modules", "@cantoo", "pdf-lib", "dist", "pdf-lib.min.js");

export const {
  AFRelationship,
  Cache,
  CustomFontEmbedder,
  EncryptedPDFError,
  PDFArray,
  PDFBool,
  PDFDict,
  PDFDocument,
  PDFHeader,
  PDFHexString,
  PDFName,
  PDFNull,
  PDFNumber,
  PDFPageLeaf,
  PDFPageTree,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFString,
  PageSizes,
  ParseSpeeds,
  StandardFonts,
  decodePDFRawStream,
  degrees,
  rgb,
}: typeof PdfLib = require(bundle);

export type PDFArray = PdfLib.PDFArray;
export type PDFBool = PdfLib.PDFBool;
export type PDFContext = PdfLib.PDFContext;
export type PDFDict = PdfLib.PDFDict;
export type PDFDocument = PdfLib.PDFDocument;
export type PDFHeader = PdfLib.PDFHeader;
export type PDFHexString = PdfLib.PDFHexString;
export type PDFImage = PdfLib.PDFImage;
export type PDFName = PdfLib.PDFName;
export type PDFNumber = PdfLib.PDFNumber;
export type PDFObject = PdfLib.PDFObject;
export type PDFPage = PdfLib.PDFPage;
export type PDFPageLeaf = PdfLib.PDFPageLeaf;
export type PDFPageTree = PdfLib.PDFPageTree;
export type PDFRawStream = PdfLib.PDFRawStream;
export type PDFRef = PdfLib.PDFRef;
export type PDFStream = PdfLib.PDFStream;
export type PDFString = PdfLib.PDFString;
