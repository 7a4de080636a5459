import { createElement, useEffect, useState } from "react";
import { borrow } from "./embed.js";

/** The widget while this component is on the page: `{ shingle, error }`, both null until one of them is known. */
export function useShingle({ baseUrl, id, nonce, integrity }) {
  const [state, setState] = useState(waiting);
  useEffect(() => {
    let here = true;
    const loan = borrow({ baseUrl, id, nonce, integrity });
    loan.ready.then(
      (shingle) => here && setState({ shingle, error: null }),
      (error) => here && setState({ shingle: null, error }),
    );
    return () => {
      here = false;
      setState(waiting);
      loan.release();
    };
  }, [String(baseUrl), id, nonce, integrity]);
  return state;
}

const waiting = { shingle: null, error: null };

/** The card of a widget of the type `custom`; `children` show until it is there. */
export function ShingleEstimate({ baseUrl, id, nonce, integrity, children, ...rest }) {
  useShingle({ baseUrl, id, nonce, integrity });
  return createElement("shingle-estimate", { ...rest, widget: id }, children);
}
