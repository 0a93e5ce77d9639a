// The domain of a task in the folders of OSWorld. Pure.

/** The application of a task of one application; otherwise the kind of desktops. */
export const domainOf = ([app, ...others]: readonly string[], kind: string): string =>
  app === undefined || others.length > 0 ? kind : app;
