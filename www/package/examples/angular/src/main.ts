import { provideZonelessChangeDetection } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { Quote } from "./quote";

bootstrapApplication(Quote, { providers: [provideZonelessChangeDetection()] });
