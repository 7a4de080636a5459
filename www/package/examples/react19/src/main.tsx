import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { Quote } from "./Quote";

createRoot(document.querySelector("#root")!).render(
  <StrictMode>
    <h1>New roofs</h1>
    <Quote />
  </StrictMode>,
);
