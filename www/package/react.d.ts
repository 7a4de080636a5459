import type { DetailedHTMLProps, HTMLAttributes, ReactElement, ReactNode } from "react";
import type { Shingle, ShingleEstimateElement, ShingleOptions } from "./embed.js";

export function useShingle(options: ShingleOptions): { shingle: Shingle | null; error: Error | null };

export function ShingleEstimate(
  props: ShingleOptions & Omit<HTMLAttributes<ShingleEstimateElement>, "id"> & { children?: ReactNode },
): ReactElement;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "shingle-estimate": DetailedHTMLProps<HTMLAttributes<ShingleEstimateElement>, ShingleEstimateElement> & {
        widget?: string;
      };
    }
  }
}
