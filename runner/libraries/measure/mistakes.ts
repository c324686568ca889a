import type { BrowserActions, Target } from '../action-surface.ts'

const NOWHERE: Target = { css: '#nowhere', role: 'button', name: 'Nowhere' }
const CLOSED: Target = { css: '#closed', role: 'textbox', name: 'Closed field' }
const COVERED: Target = { css: '#covered', role: 'button', name: 'Covered button' }
const SIZE: Target = { css: '#parcel-size', role: 'combobox', name: 'Parcel size' }

/** One deliberate mistake; `names` are the names by which an error should refer to its target. */
export type Mistake = {
  induced: string
  names: readonly string[]
  act: (page: BrowserActions, refused: string) => Promise<unknown>
}

/** The page for the mistakes. `refused` is an address without a server. */
export function mistakesPage(refused: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>Mistakes</title><body>
    <p id="refused">${refused}</p>
    <label>Closed field <input id="closed" disabled></label>
    <label>Parcel size <select id="parcel-size"><option>Small</option><option>Large</option></select></label>
    <div style="position:relative;width:200px;height:60px">
      <button id="covered" style="width:200px;height:60px">Covered button</button>
      <div id="veil" style="position:absolute;inset:0;background:#fff"></div>
    </div></body></html>`
}

export const MISTAKES: readonly Mistake[] = [
  {
    induced: 'click on a button that is not there',
    names: ['#nowhere', 'id="nowhere"', 'Nowhere'],
    act: (page) => page.click(NOWHERE),
  },
  {
    induced: 'fill a field that is disabled',
    names: ['#closed', 'id="closed"', 'Closed field'],
    act: (page) => page.fill(CLOSED, 'words'),
  },
  {
    induced: 'click on a button that something covers',
    names: ['#covered', 'id="covered"', 'Covered button'],
    act: (page) => page.click(COVERED),
  },
  {
    induced: 'choose an option that is not there',
    names: ['#parcel-size', 'id="parcel-size"', 'Parcel size', 'Enormous'],
    act: (page) => page.select(SIZE, 'Enormous'),
  },
  {
    induced: 'wait for words that never come',
    names: ['Never to be seen'],
    act: (page) => page.waitText('Never to be seen'),
  },
  {
    induced: 'open an address that refuses connections',
    names: ['127.0.0.1'],
    act: (page, refused) => page.open(refused),
  },
]
