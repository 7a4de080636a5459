// What the client says when the server has had too many requests: node too-many.mjs PACKAGE URL KEY

const { RateLimitError, Shingle } = await import(process.argv[2]);

const shingle = new Shingle({ baseUrl: process.argv[3], key: process.argv[4], maxRetryDelay: 0 });
try {
  for (let n = 0; n < 100; n++) await shingle.leads.list();
} catch (error) {
  if (!(error instanceof RateLimitError)) throw error;
  console.log(JSON.stringify({ error: "RateLimit", retryAfter: error.retryAfter, message: error.message }));
}
