// A mail server for the company's mailboxes. It takes every mail and reads it as a mail program does.

import { once } from "node:events";
import { simpleParser } from "mailparser";
import { SMTPServer } from "smtp-server";
import { Arrivals } from "./arrivals.js";

/** `next` waits for a mail, read by mailparser, with its envelope. */
export async function mailServer() {
  const arrived = new Arrivals();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    logger: false,
    // The server keeps its connection for the next mail; the end of the tests does not wait for that.
    closeTimeout: 1,
    // The HTML as it was sent: a reader puts the pictures in.
    onData: (stream, session, done) =>
      simpleParser(stream, { keepCidLinks: true }).then((mail) => {
        arrived.add({ ...mail, envelope: session.envelope });
        done();
      }, done),
  });
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${server.server.address().port}`,
    next: (wanted) => arrived.next(wanted),
    stop: () => new Promise((resolve) => server.close(resolve)),
  };
}
