import { Component, DestroyRef, afterNextRender, inject, signal } from "@angular/core";
import { type Shingle, borrow } from "shingle-embed";
import { widget } from "./widget";

@Component({
  selector: "app-quote",
  template: `
    <h1>New roofs</h1>
    @if (problem()) {
      <p role="alert">{{ problem() }}</p>
    } @else {
      <button [disabled]="!shingle()" (click)="shingle()?.open()">What would mine cost?</button>
    }
  `,
})
export class Quote {
  readonly shingle = signal<Shingle | null>(null);
  readonly problem = signal("");

  constructor() {
    const destroyed = inject(DestroyRef);
    // In a browser only: a server has no page to put the widget on.
    afterNextRender(() => {
      const { ready, release } = borrow(widget);
      ready.then(
        (loaded) => this.shingle.set(loaded),
        (error: Error) => this.problem.set(error.message),
      );
      destroyed.onDestroy(release);
    });
  }
}
