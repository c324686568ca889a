import { options, render } from 'preact'

const REPLACED = /^(a|button|input|select|textarea)$/
const roots = []
let generation = 0

// Each generation gives controls other keys, so that preact makes them anew and keeps the components' state.
const before = options.vnode
options.vnode = (vnode) => {
  if (generation > 0 && typeof vnode.type === 'string' && REPLACED.test(vnode.type)) {
    vnode.key = `${vnode.key ?? ''}#${generation}`
  }
  before?.(vnode)
}

/**
 * Renders `write()` into `element` and keeps it renewable: pages are drawn again now and then, as real ones are.
 * Every client-rendered part of an app is mounted with this.
 */
export function mount(write, element) {
  element.setAttribute('data-mounted', '')
  const draw = () => render(write(), element)
  roots.push(draw)
  draw()
}

document.addEventListener('kit:refresh', () => {
  const { activeElement: focused } = document
  const place = controls().indexOf(focused)
  const typed = controls().map(({ value }) => value)
  generation += 1
  for (const draw of roots) draw()
  for (const [index, control] of controls().entries()) {
    if (control.type !== 'file' && typed[index] !== undefined && control.value !== typed[index]) {
      control.value = typed[index]
    }
  }
  if (place >= 0) controls()[place]?.focus()
})

function controls() {
  return [...document.querySelectorAll('[data-mounted] :is(a, button, input, select, textarea)')]
}
