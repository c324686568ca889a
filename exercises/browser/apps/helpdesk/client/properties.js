import { html } from 'htm/preact'
import { useState } from 'preact/hooks'
import { Choice, capital, PRIORITIES, STATUSES, words } from './controls.js'
import { MergeDialog } from './merge-dialog.js'

/** What can be changed about a ticket; every change is kept at once. */
export function Properties({ ticket, change }) {
  const isMerged = ticket.mergedInto !== null
  const people = ticket.agents.map(({ id, name, team }) => [id, `${name} (${team})`])
  const assign = (assignee) => {
    const person = ticket.agents.find(({ id }) => id === assignee)
    const done = person ? `Assigned to ${person.name}.` : 'Assigned to nobody.'
    return change('PATCH', '', { assignee }, done)
  }
  return html`<aside class="card stack" aria-label="Properties">
    <${Choice} id="assignee" label="Assignee" value=${ticket.assigneeId} disabled=${isMerged}
      choices=${[['', 'Nobody yet'], ...people]} onChange=${assign} />
    <${Choice} id="status" label="Status" value=${ticket.status} disabled=${isMerged} choices=${words(STATUSES)}
      onChange=${(status) => change('PATCH', '', { status }, `Status is now ${capital(status)}.`)} />
    <${Choice} id="priority" label="Priority" value=${ticket.priority} disabled=${isMerged} choices=${words(PRIORITIES)}
      onChange=${(priority) => change('PATCH', '', { priority }, `Priority is now ${capital(priority)}.`)} />
    <${Tags} ticket=${ticket} change=${change} isMerged=${isMerged} />
    ${!isMerged && html`<${MergeDialog} ticket=${ticket} />`}
  </aside>`
}

function Tags({ ticket, change, isMerged }) {
  const [tag, setTag] = useState('')
  const add = async (event) => {
    event.preventDefault()
    if (await change('POST', '/tags', { tag }, `Tag ${tag} added.`)) setTag('')
  }
  const remove = (one) =>
    change('DELETE', `/tags/${encodeURIComponent(one)}`, undefined, `Tag ${one} removed.`)
  return html`<section aria-label="Tags">
    <h2>Tags</h2>
    <ul id="tags" class="tags">${ticket.tags.map(
      (one) =>
        html`<li key=${one} class="tag">${one} ${!isMerged && html`<button type="button" id=${`untag-${one}`} aria-label=${`Remove tag ${one}`} onClick=${() => remove(one)}>×</button>`}</li>`,
    )}${ticket.tags.length === 0 && html`<li class="quiet">None yet</li>`}</ul>
    ${
      !isMerged &&
      html`<form class="row" onSubmit=${add}>
      <div class="field"><label for="tag">New tag</label>
        <input id="tag" list="known-tags" autocomplete="off" value=${tag} onInput=${(event) => setTag(event.currentTarget.value)} /></div>
      <datalist id="known-tags">${ticket.knownTags.map((one) => html`<option key=${one} value=${one}></option>`)}</datalist>
      <button id="add-tag">Add tag</button>
    </form>`
    }
  </section>`
}
