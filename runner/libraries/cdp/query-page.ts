/** The target of a query: an element and its condition. */
export type ElementQuery = {
  css: string
  frame: string | null
  /**
   * `there`: in the document; `visible`; `ready`: visible, enabled, at rest and not covered; `focus`, `select`,
   * `choose`: ready enough for keys, then applied to it; `text`: visible with these words.
   */
  want: 'there' | 'visible' | 'ready' | 'focus' | 'select' | 'choose' | 'text'
  words: string
  limitMs: number
}

/** State of the element at that moment; `x` and `y` are its centre, in CSS pixels of the window. */
export type ElementState = {
  x: number
  y: number
  checked: boolean
  isTyped: boolean
  text: string
}

/** Position of the element's document in the window, and its position at the previous check. */
type Found = { element: HTMLElement | null; left: number; top: number }
type Memory = { place: string }

/**
 * Builds an expression that polls in the page until the condition is met, every 20 ms, and returns the state, or a text
 * with the failed condition at the limit. The functions of this file are sent to the page as text and use only each
 * other.
 */
export function queryExpression(look: ElementQuery): string {
  return `(() => { ${IN_PAGE.map(String).join('\n')}; return keepLooking(${JSON.stringify(look)}) })()`
}

const IN_PAGE = [
  keepLooking,
  attempt,
  find,
  whatLacks,
  isVisible,
  isMoving,
  isCovered,
  textOf,
  isTyped,
  notifyPage,
  choose,
  select,
]

function keepLooking(look: ElementQuery): Promise<ElementState | string> {
  const until = performance.now() + look.limitMs
  const memory = { place: '' }
  return new Promise((resolve, reject) => {
    const turn = () => {
      try {
        const seen = attempt(look, memory)
        if (typeof seen !== 'string' || performance.now() >= until) resolve(seen)
        else setTimeout(turn, 20)
      } catch (error) {
        reject(error) // thrown in a timer it would be lost, and the wait would never end
      }
    }
    turn()
  })
}

function attempt(look: ElementQuery, memory: Memory): ElementState | string {
  const { element, left, top } = find(look)
  if (element === null) return 'not there'
  const lacking = whatLacks(element, look, memory)
  if (lacking !== '') return lacking
  if (look.want === 'choose' && !choose(element as HTMLSelectElement, look.words))
    return `has no option “${look.words}”`
  if (look.want === 'focus' || look.want === 'select') element.focus()
  if (look.want === 'select') select(element as HTMLInputElement, look.words)
  const box = element.getBoundingClientRect()
  return {
    x: left + box.left + box.width / 2,
    y: top + box.top + box.height / 2,
    checked: (element as HTMLInputElement).checked === true,
    isTyped: isTyped(element as HTMLInputElement),
    text: textOf(element),
  }
}

/** A frame of another origin is not accessible. */
function find({ css, frame, want }: ElementQuery): Found {
  if (frame === null) return { element: document.querySelector<HTMLElement>(css), left: 0, top: 0 }
  const holder = document.querySelector<HTMLIFrameElement>(frame)
  const element = holder?.contentDocument?.querySelector<HTMLElement>(css) ?? null
  if (holder === null || element === null) return { element: null, left: 0, top: 0 }
  if (want === 'ready') holder.scrollIntoView({ block: 'center', behavior: 'instant' })
  const { left, top } = holder.getBoundingClientRect()
  return { element, left: left + holder.clientLeft, top: top + holder.clientTop }
}

/** Returns the failed condition; empty = none. */
function whatLacks(element: HTMLElement, { want, words }: ElementQuery, memory: Memory): string {
  if (want === 'there') return ''
  if (!isVisible(element)) return 'not visible'
  if (want === 'visible') return ''
  if (want === 'text')
    return textOf(element).replace(/\s+/g, ' ').includes(words) ? '' : `does not say “${words}”`
  if (element.matches(':disabled')) return 'disabled'
  if (want !== 'ready') return ''
  if (isMoving(element, memory)) return 'not at rest'
  return isCovered(element) ? 'covered by something' : ''
}

function isVisible(element: HTMLElement): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && element.checkVisibility({ visibilityProperty: true })
}

function isMoving(element: HTMLElement, memory: Memory): boolean {
  element.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
  const { left, top, width, height } = element.getBoundingClientRect()
  const before = memory.place
  memory.place = [left, top, width, height].join()
  return memory.place !== before
}

function isCovered(element: HTMLElement): boolean {
  const { left, top, width, height } = element.getBoundingClientRect()
  const hit = element.ownerDocument.elementFromPoint(left + width / 2, top + height / 2)
  if (hit === null || element.contains(hit)) return hit === null
  const labels = (element as HTMLInputElement).labels ?? []
  return ![...labels].some((label) => label.contains(hit))
}

function textOf(element: HTMLElement): string {
  const isField = element.matches('input, textarea, select')
  if (isField) return (element as HTMLInputElement).value
  // SVG elements have no `innerText`.
  // biome-ignore lint/performance/useDomNodeTextContent: only what can be seen counts
  return element.innerText ?? element.textContent ?? ''
}

/** True if typed keys are inserted unchanged. */
function isTyped(field: HTMLInputElement): boolean {
  const types = ['text', 'search', 'email', 'url', 'tel', 'password', 'number']
  return field.matches('textarea') || field.isContentEditable || types.includes(field.type)
}

function notifyPage(field: HTMLElement): void {
  for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }))
}

/** Returns false if there is no such option yet. */
function choose(list: HTMLSelectElement, words: string): boolean {
  const option = [...list.options].find(({ label, disabled }) => label === words && !disabled)
  if (option === undefined) return false
  list.value = option.value
  notifyPage(list)
  return true
}

/** Selects its content; sets the value of elements that accept no keys. */
function select(field: HTMLInputElement, value: string): void {
  if (field.isContentEditable) field.ownerDocument.getSelection()?.selectAllChildren(field)
  else if (isTyped(field)) field.select()
  else {
    field.value = value
    notifyPage(field)
  }
}
