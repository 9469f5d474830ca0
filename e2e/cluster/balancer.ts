/** haproxy with deploy/haproxy.cfg: a request goes to any server that reports itself ready. */
import { join } from "node:path";
import { root } from "../server.ts";
import { answers, type Part, part } from "./part.ts";

export const balancer = (port: number, servers: [number, number]): Part =>
  part("haproxy", {
    command: ["/usr/sbin/haproxy", "-db", "-f", join(root, "deploy", "haproxy.cfg")],
    env: {
      LISTEN: `127.0.0.1:${port}`,
      SERVER_1: `127.0.0.1:${servers[0]}`,
      SERVER_2: `127.0.0.1:${servers[1]}`,
    },
    isReady: () => answers(`http://127.0.0.1:${port}/readyz`),
  });
