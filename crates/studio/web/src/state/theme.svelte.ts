// Light or dark: as the system says, until a person says otherwise.

type Choice = "light" | "dark" | null;

function kept(): Choice {
  const value = localStorage.getItem("windrow-theme");
  return value === "light" || value === "dark" ? value : null;
}

class Theme {
  choice: Choice = $state(null);

  constructor() {
    this.#set(kept());
  }

  turn(): void {
    const dark = this.choice ? this.choice === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    this.#set(dark ? "light" : "dark");
  }

  #set(choice: Choice): void {
    this.choice = choice;
    if (choice === null) delete document.documentElement.dataset.theme;
    else {
      document.documentElement.dataset.theme = choice;
      localStorage.setItem("windrow-theme", choice);
    }
  }
}

export const theme = new Theme();
