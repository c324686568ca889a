import { watchCombobox } from './combobox.js'
import { watchDraft } from './draft.js'

// Listeners sit on the document, so that they outlive the elements.
watchDraft()
watchCombobox()

document.addEventListener('change', ({ target }) => showConditional(target))
document.addEventListener('click', ({ target }) => {
  const { opens, closes } = target.closest?.('[data-opens], [data-closes]')?.dataset ?? {}
  if (opens) document.getElementById(opens).showModal()
  if (closes) document.getElementById(closes).close()
})

function showConditional({ name, value }) {
  for (const part of document.querySelectorAll('[data-when]')) {
    if (part.dataset.when === name) part.hidden = part.dataset.is !== value
  }
}

addEventListener('message', ({ origin, data }) => {
  const state = document.getElementById('terms-state')
  if (origin !== location.origin || !state || data?.kind !== 'terms') return
  state.textContent = data.accepted ? 'Terms accepted' : 'Not accepted yet'
})
