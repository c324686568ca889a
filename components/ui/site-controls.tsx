import { Button } from './button.tsx'
import { Keyboard, Moon, Sun } from './icons.tsx'

// Markup for the behaviour of every page in behaviour/start.ts.

const KEYS = [
  ['/', 'Focus the search field'],
  ['?', 'Show keyboard shortcuts'],
  ['↑ ↓ ← →', 'Move through table rows and cells'],
  ['Home, End', 'Go to the first or last link of a row'],
  ['Enter', 'Open the link or the details'],
  ['c', 'On the board: select the focused entry; with two or more selected, compare them'],
  ['j, k', 'On an episode: go to the next or previous failed one of its run'],
  ['Esc', 'Close the open dialog or menu'],
] as const

/** Keyboard shortcuts of every page, in a dialog. */
export function Shortcuts() {
  return (
    <>
      <Button
        aria-label="Keyboard shortcuts"
        className="w-8 px-0 max-sm:hidden"
        data-shortcuts
        title="Keyboard shortcuts (?)"
        tone="quiet"
      >
        <Keyboard aria-hidden size={16} />
      </Button>
      <dialog
        aria-labelledby="keys-title"
        className="m-auto w-[26rem] max-w-[calc(100vw-2rem)] rounded border border-line bg-surface p-5 text-ink backdrop:bg-[rgb(0_0_0/0.4)]"
        data-keys
      >
        <h2 className="mb-3 font-semibold text-base" id="keys-title">
          Keyboard shortcuts
        </h2>
        <dl className="grid grid-cols-[auto_1fr] gap-x-5 gap-y-2">
          {KEYS.map(([key, meaning]) => (
            <div className="contents" key={key}>
              <dt>
                <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 text-xs">
                  {key}
                </kbd>
              </dt>
              <dd>{meaning}</dd>
            </div>
          ))}
        </dl>
        <form className="mt-5 flex justify-end" method="dialog">
          <Button type="submit">Close</Button>
        </form>
      </dialog>
    </>
  )
}

/** Switches between light and dark; follows the system setting until first used. */
export function ThemeSwitch() {
  return (
    <Button
      aria-label="Switch between light and dark theme"
      className="w-8 px-0"
      data-theme-switch
      title="Switch between light and dark theme"
      tone="quiet"
    >
      <Sun aria-hidden className="hidden dark:block" size={16} />
      <Moon aria-hidden className="dark:hidden" size={16} />
    </Button>
  )
}
