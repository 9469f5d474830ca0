import { settings } from "#lib/env.ts";
import styles from "./page.module.css";

const endpoints = [
  ["GET /contracts", "search, filter and sort contracts, 50 a page with the exact total"],
  ["POST /contracts/{id}/status", "move a contract through its lifecycle; what is not allowed says why"],
  ["PUT /contracts/{id}/anchors", "set dates and term; obligations resolve themselves again"],
  ["GET /obligations", "what is overdue, due and upcoming, in order"],
  ["GET /audit-events", "every change, who made it, newest first"],
  ["GET /analytics/summary", "the workspace in numbers"],
];

const example = (address: string) => `curl -s -H "x-api-key: csk_…" \\
  "${address}/api/v1/contracts?status=ACTIVE"`;

/** The address is the server's own: it is known when it runs, not when it is built. */
export const dynamic = "force-dynamic";

export default function Home() {
  return (
    <main className={styles.main}>
      <p className={styles.mark}>Countersign</p>
      <h1>This workspace server is running.</h1>
      <p className={styles.lead}>
        Contracts, counterparties, obligations with dates that resolve themselves, and an audit log that
        proves itself, behind one REST API.
      </p>
      <section aria-labelledby="start">
        <h2 id="start">Call it</h2>
        <p>
          A key goes into the header <code>x-api-key</code>. The first start printed one for the demo
          workspace; <code>npm run -s admin -- create-key</code> makes more.
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls on a phone, and the keyboard must reach it. */}
        <pre tabIndex={0}>
          <code>{example(settings().BASE_URL)}</code>
        </pre>
      </section>
      <section aria-labelledby="endpoints">
        <h2 id="endpoints">Some of what it answers</h2>
        <dl className={styles.endpoints}>
          {endpoints.map(([endpoint, meaning]) => (
            <div key={endpoint}>
              <dt>
                <code>{endpoint}</code>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <p>
          All of it, with schemas and examples, is in the <a href="/api/v1/openapi.json">API description</a>.
          Is the server healthy? <a href="/readyz">/readyz</a> tells.
        </p>
      </section>
    </main>
  );
}
