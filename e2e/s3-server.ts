/**
 * An S3 server as a process of its own: `s3-server.ts FOLDER PORT`, with one bucket, `files`. It also refuses to
 * write over an object with 412 when a request says If-None-Match: *, as Amazon's does.
 */
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
// @ts-expect-error It has no types.
import S3rver from "@20minutes/s3rver";

const [directory = "", port = ""] = process.argv.slice(2);
// It computes the signature of a listing below a folder in a way of its own.
const allowMismatchedSignatures = true;
const configureBuckets = [{ name: "files" }];
const app = new S3rver({ directory, silent: true, configureBuckets, allowMismatchedSignatures });
await app.configureBuckets();
const answer = app.callback();

createServer((request, response) => {
  const path = join(directory, `${decodeURIComponent(request.url!.split("?")[0]!)}._S3rver_object`);
  if (request.method === "PUT" && request.headers["if-none-match"] === "*" && existsSync(path)) {
    request.resume();
    response.writeHead(412, { "content-type": "application/xml", "x-refused": "1" });
    response.end("<Error><Code>PreconditionFailed</Code><Message>It is there.</Message></Error>");
    return;
  }
  answer(request, response);
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
