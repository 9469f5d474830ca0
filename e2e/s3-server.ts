/**
 * An S3 server as a separate process: `s3-server.ts FOLDER PORT`, with one bucket, `files`. Like Amazon's, it refuses
 * to overwrite an object, with 412, if a request says If-None-Match: *. `POST /condition/full` makes it refuse new
 * objects with MinIO's error code, `/condition/slow` makes it wait two seconds before each request, and
 * `/condition/well` ends both.
 */
import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
// @ts-expect-error The package has no types.
import S3rver from "@20minutes/s3rver";

const [directory = "", port = ""] = process.argv.slice(2);
// S3rver computes the signature differently when it lists a folder.
const allowMismatchedSignatures = true;
const configureBuckets = [{ name: "files" }];
const app = new S3rver({ directory, silent: true, configureBuckets, allowMismatchedSignatures });
await app.configureBuckets();
const answer = app.callback();

let condition = "well";

function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume();
  response.writeHead(status, { "content-type": "application/xml", "x-refused": "1" });
  response.end(`<Error><Code>${code}</Code><Message>It is refused.</Message></Error>`);
}

createServer(async (request, response) => {
  const [, asked] = /^\/condition\/(\w+)$/.exec(request.url!) ?? [];
  if (asked) {
    condition = asked;
    return void response.writeHead(204).end();
  }
  if (condition === "slow") await pause(2000);
  const path = join(directory, `${decodeURIComponent(request.url!.split("?")[0]!)}._S3rver_object`);
  if (request.method === "PUT") {
    if (condition === "full") return refuse(request, response, 507, "XMinioStorageFull");
    if (request.headers["if-none-match"] === "*" && existsSync(path))
      return refuse(request, response, 412, "PreconditionFailed");
  }
  answer(request, response);
}).listen(Number(port), "127.0.0.1", () => process.stdout.write("ready\n"));
