// The colours that VS Code writes on a page in its four default themes, of those names that the pages use. What a theme leaves out is
// left out here as well.

interface Theme {
  /** As VS Code writes it on the body. */
  readonly classes: string;
  readonly colours: Readonly<Record<string, string>>;
}

const DARK = {
  'badge-background': '#616161',
  'badge-foreground': '#f8f8f8',
  'button-background': '#0078d4',
  'button-border': '#ffffff1a',
  'button-foreground': '#ffffff',
  'button-hoverBackground': '#026ec1',
  'button-secondaryBackground': '#00000000',
  'button-secondaryForeground': '#cccccc',
  'button-secondaryHoverBackground': '#2b2b2b',
  'charts-blue': '#3794ff',
  'charts-green': '#89d185',
  'charts-orange': '#d18616',
  'charts-purple': '#b180d7',
  'checkbox-background': '#313131',
  'checkbox-border': '#3c3c3c',
  'checkbox-foreground': '#cccccc',
  descriptionForeground: '#9d9d9d',
  disabledForeground: '#cccccc80',
  'dropdown-background': '#313131',
  'dropdown-border': '#3c3c3c',
  'dropdown-foreground': '#cccccc',
  'dropdown-listBackground': '#1f1f1f',
  'editor-background': '#1f1f1f',
  'editorWidget-background': '#202020',
  errorForeground: '#f85149',
  focusBorder: '#0078d4',
  foreground: '#cccccc',
  'icon-foreground': '#cccccc',
  'input-background': '#313131',
  'input-border': '#3c3c3c',
  'input-foreground': '#cccccc',
  'input-placeholderForeground': '#989898',
  'list-activeSelectionBackground': '#04395e',
  'list-activeSelectionForeground': '#ffffff',
  'list-hoverBackground': '#2a2d2e',
  'progressBar-background': '#0078d4',
  'sideBar-background': '#181818',
  'toolbar-hoverBackground': '#5a5d5e50',
  'widget-border': '#313131',
};

const LIGHT = {
  ...DARK,
  'badge-background': '#cccccc',
  'badge-foreground': '#3b3b3b',
  'button-background': '#005fb8',
  'button-border': '#0000001a',
  'button-hoverBackground': '#0258a8',
  'button-secondaryBackground': '#e5e5e5',
  'button-secondaryForeground': '#3b3b3b',
  'button-secondaryHoverBackground': '#cccccc',
  'charts-blue': '#1a85ff',
  'charts-green': '#388a34',
  'charts-purple': '#652d90',
  'checkbox-background': '#f8f8f8',
  'checkbox-border': '#cecece',
  'checkbox-foreground': '#3b3b3b',
  descriptionForeground: '#3b3b3b',
  disabledForeground: '#61616180',
  'dropdown-background': '#ffffff',
  'dropdown-border': '#cecece',
  'dropdown-foreground': '#3b3b3b',
  'dropdown-listBackground': '#ffffff',
  'editor-background': '#ffffff',
  'editorWidget-background': '#f8f8f8',
  focusBorder: '#005fb8',
  foreground: '#3b3b3b',
  'icon-foreground': '#3b3b3b',
  'input-background': '#ffffff',
  'input-border': '#cecece',
  'input-foreground': '#3b3b3b',
  'input-placeholderForeground': '#767676',
  'list-activeSelectionBackground': '#e8e8e8',
  'list-activeSelectionForeground': '#000000',
  'list-hoverBackground': '#f2f2f2',
  'progressBar-background': '#005fb8',
  'sideBar-background': '#f8f8f8',
  'toolbar-hoverBackground': '#b8b8b850',
  'widget-border': '#e5e5e5',
};

/** Neither of the two has colours for what is chosen in a list, or for the edge of a widget. */
const HIGH_CONTRAST_DARK = {
  'badge-background': '#000000',
  'badge-foreground': '#ffffff',
  'button-background': '#000000',
  'button-border': '#6fc3df',
  'button-foreground': '#ffffff',
  'button-secondaryForeground': '#ffffff',
  'charts-blue': '#3794ff',
  'charts-green': '#89d185',
  'charts-orange': '#d18616',
  'charts-purple': '#b180d7',
  'checkbox-background': '#000000',
  'checkbox-border': '#6fc3df',
  'checkbox-foreground': '#ffffff',
  contrastActiveBorder: '#f38518',
  contrastBorder: '#6fc3df',
  descriptionForeground: '#ffffffb3',
  disabledForeground: '#a5a5a5',
  'dropdown-background': '#000000',
  'dropdown-border': '#6fc3df',
  'dropdown-foreground': '#ffffff',
  'dropdown-listBackground': '#000000',
  'editor-background': '#000000',
  'editorWidget-background': '#0c141f',
  errorForeground: '#f48771',
  focusBorder: '#f38518',
  foreground: '#ffffff',
  'icon-foreground': '#ffffff',
  'input-background': '#000000',
  'input-border': '#6fc3df',
  'input-foreground': '#ffffff',
  'input-placeholderForeground': '#ffffffb3',
  'list-hoverBackground': '#ffffff1a',
  'progressBar-background': '#6fc3df',
  'sideBar-background': '#000000',
};

const HIGH_CONTRAST_LIGHT = {
  ...HIGH_CONTRAST_DARK,
  'badge-background': '#0f4a85',
  'button-background': '#0f4a85',
  'button-border': '#0f4a85',
  'button-hoverBackground': '#0f4a85',
  'button-secondaryBackground': '#ffffff',
  'button-secondaryForeground': '#292929',
  'charts-blue': '#1a85ff',
  'charts-green': '#374e06',
  'charts-purple': '#652d90',
  'checkbox-background': '#ffffff',
  'checkbox-border': '#0f4a85',
  'checkbox-foreground': '#292929',
  contrastActiveBorder: '#006bbd',
  contrastBorder: '#0f4a85',
  descriptionForeground: '#292929b3',
  disabledForeground: '#7f7f7f',
  'dropdown-background': '#ffffff',
  'dropdown-border': '#0f4a85',
  'dropdown-foreground': '#292929',
  'dropdown-listBackground': '#ffffff',
  'editor-background': '#ffffff',
  'editorWidget-background': '#ffffff',
  errorForeground: '#b5200d',
  focusBorder: '#006bbd',
  foreground: '#292929',
  'icon-foreground': '#292929',
  'input-background': '#ffffff',
  'input-border': '#0f4a85',
  'input-foreground': '#292929',
  'input-placeholderForeground': '#292929b3',
  'list-hoverBackground': '#0f4a851a',
  'progressBar-background': '#0f4a85',
  'sideBar-background': '#ffffff',
};

export const THEMES = {
  dark: { classes: 'vscode-dark', colours: DARK },
  light: { classes: 'vscode-light', colours: LIGHT },
  'high contrast dark': { classes: 'vscode-high-contrast', colours: HIGH_CONTRAST_DARK },
  'high contrast light': {
    classes: 'vscode-high-contrast vscode-high-contrast-light',
    colours: HIGH_CONTRAST_LIGHT,
  },
} as const satisfies Readonly<Record<string, Theme>>;

/** Runs in the page: puts it into a theme as VS Code does, and takes the last one away. */
export function dress({ classes, colours }: Theme): void {
  const { style } = document.documentElement;
  for (const name of [...style]) if (name.startsWith('--vscode-')) style.removeProperty(name);
  for (const [name, colour] of Object.entries(colours)) style.setProperty(`--vscode-${name}`, colour);
  style.setProperty('--vscode-font-family', 'system-ui, sans-serif');
  style.setProperty('--vscode-font-size', '13px');
  style.setProperty('--vscode-font-weight', '400');
  document.body.dataset['host'] = 'editor';
  document.body.className = classes;
}
