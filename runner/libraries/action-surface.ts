/**
 * One element as a user would point at it. `css` finds exactly this one; `role` and `name` are its ARIA role and
 * accessible name, unique on the page. An adapter uses what its targeting says and nothing else.
 */
export type Target = {
  css: string
  /** Needed for an element that is acted on; an element that is only read may have none. */
  role?: string
  name?: string
  /** The CSS selector of its iframe. */
  frame?: string
}

/**
 * The actions of a library, limited to what all of them support. Every action waits for its element in the library's own
 * way, for at most the session's `actionTimeoutMs`, and throws when it could not be done. None sleeps for a fixed time.
 */
export type BrowserActions = {
  /** Goes to an address and waits until the document is there. */
  open: (url: string) => Promise<void>
  click: (target: Target) => Promise<void>
  /** Replaces the value of a text field, as typing would. */
  fill: (target: Target, text: string) => Promise<void>
  /** Chooses an option of a `<select>` by its visible words. */
  select: (target: Target, option: string) => Promise<void>
  /** Ticks or unticks a checkbox, or chooses a radio button. */
  check: (target: Target, isChecked: boolean) => Promise<void>
  /** One key by its DOM name (`Enter`, `ArrowDown`, `Escape`), in `target` or wherever the focus is. */
  press: (key: string, target?: Target) => Promise<void>
  /** Gives files of this machine to a file field. */
  upload: (target: Target, paths: readonly string[]) => Promise<void>
  /** Drags with the mouse from the middle of one element to the middle of another. */
  drag: (from: Target, to: Target) => Promise<void>
  /** Waits until these words can be seen, on the page or in `where`. */
  waitText: (text: string, where?: Target) => Promise<void>
  /** The visible text of an element, white space collapsed; of a field its value. */
  readText: (target: Target) => Promise<string>
  /** Whether an element can be seen now; looks once and does not wait. */
  sees: (target: Target) => Promise<boolean>
  /** The address of the page. */
  url: () => Promise<string>
  /** What this library would show of the page to its user: a snapshot, or the text. */
  observe: () => Promise<string>
  /** Continues in a new tab; the old one is abandoned. */
  newPage: () => Promise<void>
  /** Gives the connection up and makes a new one. */
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
