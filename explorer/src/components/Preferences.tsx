import { set } from "../route.ts";
import { lang, t } from "../text.ts";
import { THEMES, theme } from "../theme.ts";
import { Select } from "./Controls.tsx";

export function Preferences() {
  return (
    <div class="preferences">
      <Select
        label={t().language}
        options={[
          ["pt", "Português"],
          ["en", "English"],
        ]}
        value={lang.value}
        change={(chosen) => set({ lang: chosen === "pt" ? "" : chosen })}
      />
      <Select
        label={t().theme}
        options={THEMES.map((name) => [name, t().themes[name]] as const)}
        value={theme.value}
        change={(chosen) => {
          theme.value = chosen;
        }}
      />
    </div>
  );
}
