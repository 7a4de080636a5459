// A homeowner's request for a visit, without a browser.

/** `lead`: what the server answered when it was sent. */
export async function askForVisit(shingle, widget, { id, leadToken }) {
  const day = (ahead) => new Date(Date.now() + ahead * 86_400_000).toISOString().slice(0, 10);
  const wishes = [{ date: day(4), part: "afternoon" }, { date: day(5), part: "morning" }];
  const inspection = { wishes, contactBy: "text", note: null };
  const at = `${shingle.url}/w/${widget.hostedPageLink.split("/w/")[1]}/leads/${id}`;
  const sent = { "content-type": "text/plain", origin: shingle.url };
  const answer = await fetch(at, { method: "PATCH", headers: sent, body: JSON.stringify({ leadToken, inspection }) });
  if (!answer.ok) throw new Error(`the visit: ${answer.status} ${await answer.text()}`);
}
