import { html } from 'htm/preact'
import { Checkbox, Choice, TextField } from './controls.js'
import { mount } from './kit/mount.js'
import { SettingsForm } from './settings-form.js'

const SWITCHES = [
  ['assigned', 'Assigned to me', 'A ticket was given to you.'],
  ['newTickets', 'New tickets', 'A ticket came in for your team.'],
  ['mentions', 'Mentions', 'A colleague named you in a note.'],
  ['overdue', 'Overdue tickets', 'Nobody answered a ticket for two days.'],
]
const DIGESTS = [
  ['never', 'Never'],
  ['daily', 'Every morning'],
  ['weekly', 'Every Monday'],
]

function Notifications() {
  return html`<${SettingsForm}
    section="notifications"
    title="Notifications"
    read=${({ notifications }) => ({ ...notifications })}
    fields=${(field) => {
      const digest = field('digest')
      const time = (name, label) => {
        const { value, mistake, set } = field(name)
        return html`<${TextField} id=${name} label=${label} value=${value} mistake=${mistake} onInput=${set} inputmode="numeric" />`
      }
      return html`<fieldset><legend>Write me an e-mail about</legend>
          ${SWITCHES.map(([name, label, hint]) => {
            const { value, set } = field(name)
            return html`<${Checkbox} key=${name} id=${name} label=${label} hint=${hint} checked=${value} onChange=${set} />`
          })}
        </fieldset>
        <${Choice} id="digest" label="Summary" value=${digest.value} mistake=${digest.mistake} choices=${DIGESTS} onChange=${digest.set} />
        <div class="pair">${time('quietFrom', 'Quiet from')} ${time('quietUntil', 'Quiet until')}</div>`
    }}
  />`
}

mount(() => html`<${Notifications} />`, document.querySelector('#view'))
