const PAUSE_MS = 500
const AGAIN_MS = 2000

/** Saves the form while it is typed, and says so. */
export function watchDraft() {
  let timer = 0
  const later = (ms) => {
    clearTimeout(timer)
    timer = setTimeout(save, ms)
  }
  const touch = ({ target }) => {
    if (!target.form?.dataset.saves || target.type === 'file') return
    say('Not saved yet')
    later(PAUSE_MS)
  }
  const save = async () => {
    const form = document.getElementById('step')
    const fields = Object.fromEntries(
      [...new FormData(form)].filter(([, value]) => typeof value === 'string'),
    )
    say('Saving…')
    const savedAt = await send(form.dataset.saves, fields)
    if (savedAt) return say(`Saved at ${savedAt.slice(11, 16)}`)
    say('Not saved. Stay on this page: we try again.')
    later(AGAIN_MS)
  }
  document.addEventListener('input', touch)
  document.addEventListener('change', touch)
  document.addEventListener('submit', () => clearTimeout(timer))
}

async function send(path, fields) {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await fetch(path, { method: 'PUT', headers, body: JSON.stringify(fields) })
    return response.ok ? (await response.json()).savedAt : null
  } catch {
    return null
  }
}

function say(words) {
  document.getElementById('saved').textContent = words
}
