/**
 * One element as a user would identify it. `css` matches exactly this one; `role` and `name` are its ARIA role and
 * accessible name, unique on the page. An adapter uses only the locators of its targeting.
 */
export type Target = {
  css: string
  /** Required for an element that is acted on; an element that is only read may have none. */
  role?: string
  name?: string
  /** The CSS selector of its iframe. */
  frame?: string
}

/**
 * The actions of a library, limited to what all of them support. Every action waits for its element in the library's
 * own way, for at most the session's `actionTimeoutMs`, and throws if it failed. None sleeps for a fixed time.
 */
export type BrowserActions = {
  /** Opens a URL and waits until the document is loaded. */
  open: (url: string) => Promise<void>
  click: (target: Target) => Promise<void>
  /** Replaces the value of a text field, as typing would. */
  fill: (target: Target, text: string) => Promise<void>
  /** Chooses an option of a `<select>` by its visible text. */
  select: (target: Target, option: string) => Promise<void>
  /** Sets a checkbox, or chooses a radio button. */
  check: (target: Target, isChecked: boolean) => Promise<void>
  /** Presses one key by its DOM name (`Enter`, `ArrowDown`, `Escape`), in `target` or wherever the focus is. */
  press: (key: string, target?: Target) => Promise<void>
  /** Attaches files of this machine to a file field. */
  upload: (target: Target, paths: readonly string[]) => Promise<void>
  /** Drags with the mouse from the centre of one element to the centre of another. */
  drag: (from: Target, to: Target) => Promise<void>
  /** Waits until this text is visible, on the page or in `where`. */
  waitText: (text: string, where?: Target) => Promise<void>
  /** Returns the visible text of an element, white space collapsed; the value of a field. */
  readText: (target: Target) => Promise<string>
  /** Returns whether an element is visible now; checks once and does not wait. */
  sees: (target: Target) => Promise<boolean>
  /** Returns the URL of the page. */
  url: () => Promise<string>
  /** Returns what this library would show of the page to its user: a snapshot, or the text. */
  observe: () => Promise<string>
  /** Continues in a new tab; the old one is abandoned. */
  newPage: () => Promise<void>
  /** Closes the connection and opens a new one. */
  reconnect: () => Promise<void>
  /** Disconnects from the browser, which stays; ends every process that the library itself started. */
  dispose: () => Promise<void>
}
export type ActionName = keyof BrowserActions

/** An action that a library does not support; distinct from a failure. */
export class UnsupportedActionError extends Error {
  readonly action: ActionName
  constructor(action: ActionName, reason: string) {
    super(`${action} is not possible with this library: ${reason}`)
    this.action = action
  }
}
