import { html } from 'htm/preact'
import { useEffect, useState } from 'preact/hooks'
import { ask } from './ask.js'
import { Loading } from './controls.js'
import { toast } from './toasts.js'

const SECTIONS = [
  ['profile', 'Profile'],
  ['notifications', 'Notifications'],
]

/** One section of the settings: its fields, and a button that keeps them once something was changed. */
export function SettingsForm({ section, title, read, fields }) {
  const [kept, setKept] = useState(null)
  const [edited, setEdited] = useState(null)
  const [mistakes, setMistakes] = useState({})
  const [isSaving, setSaving] = useState(false)
  useEffect(() => {
    const load = async () => {
      const { ok, data } = await ask('GET', '/api/settings')
      if (ok) setKept(data)
      else toast(data.message, true)
    }
    void load()
  }, [])
  if (kept === null) return html`<${Tabs} current=${section} /><${Loading} />`
  const values = { ...read(kept), ...edited }
  const isChanged = JSON.stringify(values) !== JSON.stringify(read(kept))
  const save = async (event) => {
    event.preventDefault()
    setSaving(true)
    const { ok, data } = await ask('PUT', `/api/settings/${section}`, values)
    setSaving(false)
    setMistakes(data.mistakes ?? {})
    if (!ok) return toast(data.message, true)
    setKept(data)
    setEdited(null)
    toast(`${title} saved.`)
  }
  const field = (name) => ({
    value: values[name],
    mistake: mistakes[name],
    set: (value) => setEdited((all) => ({ ...all, [name]: value })),
  })
  return html`<${Tabs} current=${section} />
    <form class="card stack" onSubmit=${save} novalidate>
      <h2>${title}</h2>
      ${fields(field, kept)}
      <div class="actions">
        <button id="save" class="primary" disabled=${!isChanged || isSaving}>Save changes</button>
        <span class="quiet" id="saved">${isSaving ? 'Saving…' : isChanged ? 'Not saved yet' : 'All changes saved'}</span>
      </div>
    </form>`
}

function Tabs({ current }) {
  return html`<nav class="tabs" aria-label="Settings">${SECTIONS.map(
    ([id, name]) =>
      html`<a key=${id} id=${`tab-${id}`} href=${`/settings/${id}`} aria-current=${id === current ? 'page' : undefined}>${name}</a>`,
  )}</nav>`
}
