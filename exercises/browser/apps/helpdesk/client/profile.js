import { html } from 'htm/preact'
import { Choice, TextField } from './controls.js'
import { mount } from './kit/mount.js'
import { SettingsForm } from './settings-form.js'

function Profile() {
  return html`<${SettingsForm}
    section="profile"
    title="Profile"
    read=${({ profile, signature }) => ({ ...profile, signature })}
    fields=${(field, { timeZones }) => {
      const text = (name, label, rest = {}) => {
        const { value, mistake, set } = field(name)
        return html`<${TextField} id=${name} label=${label} value=${value} mistake=${mistake} onInput=${set} ...${rest} />`
      }
      const zone = field('timeZone')
      return html`${text('displayName', 'Display name', { hint: 'Customers see it beside your replies.' })}
        ${text('jobTitle', 'Job title')} ${text('phone', 'Phone')}
        <${Choice} id="timeZone" label="Time zone" value=${zone.value} mistake=${zone.mistake}
          choices=${timeZones.map((name) => [name, name.replaceAll('_', ' ')])} onChange=${zone.set} />
        ${text('signature', 'Signature', { lines: 4, hint: 'Stands below each reply.' })}`
    }}
  />`
}

mount(() => html`<${Profile} />`, document.querySelector('#view'))
