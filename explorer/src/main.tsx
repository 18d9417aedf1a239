import "./style.css";
import { render } from "preact";
import { loadCharts } from "./charts/Chart.tsx";
import { App } from "./components/App.tsx";
import { loadApi } from "./openapi.ts";

const place = document.getElementById("app");
if (place) render(<App />, place);

// Both load while the user types the credentials.
void loadApi();
void loadCharts();
