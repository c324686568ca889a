/**
 * What the harness asks of a page, evaluated in a world of its own: the page cannot have changed what it finds there.
 * Elements are only touched through prototypes, because a form's fields can hide its members. Null = too much to hold.
 */
export const PAGE_SCRIPT = `(() => {
  const MOST_ELEMENTS = 20000, MOST_CHARS = 4000000
  const getter = (type, name) => Object.getOwnPropertyDescriptor(type.prototype, name).get
  const find = Document.prototype.querySelectorAll
  const innerText = getter(HTMLElement, 'innerText')
  const textContent = getter(Node, 'textContent')
  const values = [HTMLInputElement, HTMLTextAreaElement, HTMLSelectElement].map((type) => [type, getter(type, 'value')])
  const attribute = Element.prototype.getAttribute
  const rects = Element.prototype.getClientRects
  const check = Element.prototype.checkVisibility
  const textOf = (element) => {
    for (const [type, value] of values) if (element instanceof type) return value.call(element)
    const text = element instanceof HTMLElement ? innerText.call(element) : textContent.call(element)
    return String(text ?? '').replace(/\\s+/g, ' ').trim()
  }
  const isSeen = (element) =>
    check.call(element, { visibilityProperty: true, opacityProperty: true }) && rects.call(element).length > 0
  const collect = (css, keep, read) => {
    const found = find.call(document, css)
    if (found.length > MOST_ELEMENTS) return null
    const texts = []
    let chars = 0
    for (const element of found) {
      if (!keep(element)) continue
      const text = read(element)
      chars += text === null ? 0 : text.length
      if (chars > MOST_CHARS) return null
      texts.push(text)
    }
    return texts
  }
  return {
    isReady: () => getter(Document, 'readyState').call(document) === 'complete',
    texts: (css) => collect(css, isSeen, textOf),
    attributes: (css, name) => collect(css, () => true, (element) => attribute.call(element, name)),
    stored: (area, key) => {
      const kept = area === 'local' ? window.localStorage : window.sessionStorage
      const value = Storage.prototype.getItem.call(kept, key)
      return value !== null && value.length > MOST_CHARS ? null : { value }
    },
  }
})()`
