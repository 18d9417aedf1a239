import "./style.css";
import { render } from "preact";
import { loadCharts } from "./charts/Chart.tsx";
import { App } from "./components/App.tsx";
import { loadApi } from "./openapi.ts";

const place = document.getElementById("app");
if (place) render(<App />, place);

// While the credentials are typed.
void loadApi();
void loadCharts();
