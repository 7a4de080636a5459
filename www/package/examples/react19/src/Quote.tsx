import { useShingle } from "shingle-embed/react";

const widget = { baseUrl: import.meta.env.VITE_SHINGLE_URL, id: import.meta.env.VITE_SHINGLE_WIDGET };

export function Quote() {
  const { shingle, error } = useShingle(widget);
  if (error) return <p role="alert">{error.message}</p>;
  return (
    <button disabled={!shingle} onClick={() => shingle?.open()}>
      What would mine cost?
    </button>
  );
}
