/** Prints the network interfaces that this process can use, as the system itself lists them. */
import { networkInterfaces } from "node:os";

process.stdout.write(JSON.stringify(Object.keys(networkInterfaces())));
