/** Embeddings of clauses, from the operator's model: EMBEDDINGS_URL, an OpenAI-compatible endpoint. */
import { z } from "zod";
import { settings } from "#lib/core/env.ts";
import { log } from "#lib/core/log.ts";
import { sendForOperator } from "#lib/egress/egress.ts";

/** Returns the name of the operator's model; null if there is none. */
export function embeddingModel(): string | null {
  return settings().EMBEDDINGS_MODEL ?? null;
}

const Answer = z.object({
  data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()).min(1).max(8192) })),
});

type Bytes = Uint8Array<ArrayBuffer>;

/** 64 texts with 4,096 numbers each take 6 MB as JSON. */
const maxResponseBytes = 32 * 1024 * 1024;

/** Returns a vector for each text, with one signed byte per number. Throws if the endpoint fails. */
export async function embed(texts: string[], timeoutMs: number): Promise<Bytes[]> {
  const { EMBEDDINGS_URL, EMBEDDINGS_MODEL, EMBEDDINGS_KEY } = settings();
  if (!EMBEDDINGS_URL) throw new Error("EMBEDDINGS_URL is not set.");
  const answer = await sendForOperator({
    url: `${EMBEDDINGS_URL.replace(/\/+$/, "").replace(/\/embeddings$/, "")}/embeddings`,
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${EMBEDDINGS_KEY}` },
    body: JSON.stringify({ model: EMBEDDINGS_MODEL, input: texts, encoding_format: "float" }),
    timeoutMs,
    maxResponseBytes,
  });
  // The message must contain neither the key nor the response, which may repeat what was sent.
  if (answer.status !== 200) throw new Error(`EMBEDDINGS_URL answered ${answer.status}.`);
  const { data } = Answer.parse(JSON.parse(answer.body));
  const vectors = new Map(data.map(({ index, embedding }) => [index, embedding]));
  return texts.map((_, at) => {
    const vector = vectors.get(at);
    if (!vector) throw new Error("EMBEDDINGS_URL left out a text.");
    return quantized(vector);
  });
}

/** The longest that a search waits. */
const patienceMs = 1_500;
/** How long searches continue without embeddings after a failure. Otherwise each would wait. */
const pauseMs = 30_000;
let paused = { url: "", until: 0 };

const isPaused = () => paused.url === settings().EMBEDDINGS_URL && performance.now() < paused.until;

/** Returns the embedding of a question. Null if there is none in time: then the search uses words only. */
export async function embedQuestion(q: string): Promise<Bytes | null> {
  if (!embeddingModel() || isPaused()) return null;
  try {
    const [vector] = await embed([q], patienceMs);
    return vector!;
  } catch (error) {
    paused = { url: settings().EMBEDDINGS_URL ?? "", until: performance.now() + pauseMs };
    log().warn(
      { error: error instanceof Error ? error.message : String(error) },
      "the search query could not be embedded",
    );
    return null;
  }
}

function quantized(vector: number[]): Bytes {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  return new Uint8Array(Int8Array.from(vector, (value) => Math.round((value / largest) * 127)).buffer);
}

/** Returns the cosine similarity, from -1 to 1; null if the lengths differ, as those of two models can. */
export function similarity(one: Uint8Array, other: Uint8Array): number | null {
  if (one.length !== other.length) return null;
  const [a, b] = [signed(one), signed(other)];
  let [sum, ofOne, ofOther] = [0, 0, 0];
  for (let k = 0; k < a.length; k++) {
    sum += a[k]! * b[k]!;
    ofOne += a[k]! ** 2;
    ofOther += b[k]! ** 2;
  }
  return ofOne === 0 || ofOther === 0 ? 0 : sum / Math.sqrt(ofOne * ofOther);
}

const signed = ({ buffer, byteOffset, byteLength }: Uint8Array) =>
  new Int8Array(buffer, byteOffset, byteLength);
