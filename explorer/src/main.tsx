import "./token.ts";
import "./style.css";
import "./theme.ts";
import { render } from "preact";
import { App } from "./components/App.tsx";
import { loadApi } from "./openapi.ts";
import { start } from "./start.ts";

const place = document.getElementById("app");
if (place) {
  place.replaceChildren();
  render(<App />, place);
}
void start();
if (matchMedia("(hover: none)").matches) void import("./tapTips.ts");
// The document needs no credentials: it loads meanwhile.
void loadApi();
