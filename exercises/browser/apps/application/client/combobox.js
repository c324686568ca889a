const PAUSE_MS = 150

/** Fields with `data-suggests`: a list of suggestions below, chosen with the arrow keys and Enter, or with the mouse. */
export function watchCombobox() {
  let timer = 0
  let turn = 0
  document.addEventListener('input', ({ target }) => {
    if (!target.dataset?.suggests || target.dataset.chosen === target.value) return
    clearTimeout(timer)
    turn += 1
    const mine = turn
    timer = setTimeout(async () => {
      const suggestions = await fetchSuggestions(target.dataset.suggests, target.value)
      if (mine === turn) showList(target.id, suggestions)
    }, PAUSE_MS)
  })
  document.addEventListener('keydown', pressKey)
  document.addEventListener('mousedown', (event) => {
    if (event.target.closest('[role=option]')) event.preventDefault() // the field keeps the focus
  })
  document.addEventListener('click', ({ target }) => {
    const option = target.closest('[role=option]')
    if (option) return choose(option)
    for (const list of openLists()) {
      if (target.id !== list.id.replace(/-list$/, '')) hide(list)
    }
  })
}

async function fetchSuggestions(register, words) {
  try {
    const response = await fetch(`/api/suggest/${register}?q=${encodeURIComponent(words)}`)
    return response.ok ? (await response.json()).suggestions : []
  } catch {
    return []
  }
}

function showList(id, suggestions) {
  const list = document.getElementById(`${id}-list`)
  const options = suggestions.map(({ label, values }, index) => {
    const option = document.createElement('li')
    Object.assign(option, { id: `${id}-option-${index}`, role: 'option', textContent: label })
    option.setAttribute('aria-selected', 'false')
    option.dataset.label = label
    option.dataset.values = JSON.stringify(values)
    return option
  })
  list.replaceChildren(...options)
  list.hidden = options.length === 0
  const field = document.getElementById(id)
  field.setAttribute('aria-expanded', String(options.length > 0))
  field.removeAttribute('aria-activedescendant')
}

function pressKey(event) {
  const { target, key } = event
  const list = target.dataset?.suggests ? document.getElementById(`${target.id}-list`) : null
  if (!list || list.hidden) return
  const options = [...list.children]
  const at = options.findIndex((option) => option.getAttribute('aria-selected') === 'true')
  if (key === 'Escape') return hide(list)
  if (key === 'Enter') {
    event.preventDefault()
    if (at >= 0) choose(options[at])
  }
  const step = { ArrowDown: 1, ArrowUp: -1 }[key]
  if (!step) return
  event.preventDefault()
  const next = options[(at + step + options.length + (at < 0 && step < 0 ? 1 : 0)) % options.length]
  for (const option of options) option.setAttribute('aria-selected', String(option === next))
  target.setAttribute('aria-activedescendant', next.id)
}

function choose(option) {
  const list = option.parentElement
  const field = document.getElementById(list.id.replace(/-list$/, ''))
  for (const [name, value] of Object.entries(JSON.parse(option.dataset.values))) {
    const input = document.getElementById(name)
    if (!input) continue
    input.value = value
    input.dataset.chosen = value
    input.dispatchEvent(new Event('input', { bubbles: true }))
  }
  if (!field.name) field.value = ''
  hide(list)
}

function openLists() {
  return [...document.querySelectorAll('.suggestions:not([hidden])')]
}

function hide(list) {
  list.hidden = true
  document.getElementById(list.id.replace(/-list$/, '')).setAttribute('aria-expanded', 'false')
}
