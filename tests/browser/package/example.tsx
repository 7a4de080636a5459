// How a React site uses the package. The type checker reads this; nobody runs it.

import { ShingleEstimate, useShingle } from "shingle-embed/react";

const where = { baseUrl: "https://quotes.example.com", id: "w" };

export function Quote() {
  const { shingle, error } = useShingle(where);
  if (error) return <p>{error.message}</p>;
  return <button disabled={!shingle} onClick={() => shingle?.open()}>Get my roof estimate</button>;
}

export function Cards() {
  return (
    <>
      <ShingleEstimate {...where} className="card">One moment</ShingleEstimate>
      <shingle-estimate widget="w" />
      {/* @ts-expect-error -- a widget is named by a text */}
      <shingle-estimate widget={7} />
      {/* @ts-expect-error -- without a service there is no card */}
      <ShingleEstimate id="w" />
    </>
  );
}
