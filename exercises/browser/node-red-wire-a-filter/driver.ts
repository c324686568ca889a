import type { BrowserActions } from '../../../runner/libraries/action-surface.ts'
import type { Driver, DriverStep, Facts } from '../../../runner/libraries/driver.ts'

// The editor gives its sheet no roles: most of it can be pointed at by CSS alone.
const SENSOR = '#a1f0c0de00000002'
const LOG = '#a1f0c0de00000003'
const NEW = 'g.red-ui-flow-node-group:not([id^="a1f0c0de"])'
const SHEET = { css: '#red-ui-workspace' }
const NAME = { css: '#node-input-name' }
const DEPLOY = { css: '#red-ui-header-button-deploy', role: 'link', name: 'Deploy' }
const inPalette = (type: string) => ({ css: `.red-ui-palette-node[data-palette-type="${type}"]` })
const outputOf = (node: string) => ({ css: `${node} .red-ui-flow-port-output .red-ui-flow-port` })
const inputOf = (node: string) => ({ css: `${node} .red-ui-flow-port-input .red-ui-flow-port` })

async function openEditor(page: BrowserActions, { origin }: Facts) {
  await page.open(`${origin}/`)
  await page.waitText('filter', inPalette('rbe'))
  await page.waitText('Log', { css: LOG })
}

const open: DriverStep = { name: 'open the editor', checkpoint: true, run: openEditor }

const place = (type: string): DriverStep => ({
  name: `drag a node to the sheet`,
  run: async (page) => {
    // A second try must not leave a second node.
    if (await page.sees({ css: NEW })) return
    await page.drag(inPalette(type), SHEET)
    await page.waitText(type === 'rbe' ? 'filter' : type, { css: NEW })
  },
})

const wire = (name: string, from: string, to: string): DriverStep => ({
  name,
  run: (page) => page.drag(outputOf(from), inputOf(to)),
})

const describeNode = (mode: string): DriverStep => ({
  name: 'name the filter and choose what it does',
  run: async (page) => {
    await page.click({ css: NEW })
    await page.press('Enter')
    await page.fill(NAME, 'Only changes')
    await page.select({ css: '#node-input-func' }, mode)
    await page.click({ css: '#node-dialog-ok', role: 'button', name: 'Done' })
    await page.waitText('Only changes', { css: NEW })
  },
})

const deploy: DriverStep = {
  name: 'deploy',
  run: async (page) => {
    await page.click(DEPLOY)
    await page.waitText('Successfully deployed')
  },
  // What was deployed is there again when the editor is opened anew.
  done: async (page, facts) => {
    await openEditor(page, facts)
    return page.sees({ css: NEW })
  },
}

const MODE = 'block unless value changes (ignore initial value)'
const sensorToFilter = wire('wire the sensor to the filter', SENSOR, NEW)
const filterToLog = wire('wire the filter to the log', NEW, LOG)
const drawn = [open, place('rbe'), sensorToFilter, filterToLog, describeNode(MODE)]

export const driver: Driver = {
  steps: [...drawn, deploy],
  wrong: {
    'does not deploy': drawn,
    'leaves the log unwired': [open, place('rbe'), sensorToFilter, describeNode(MODE), deploy],
    'wires the sensor past the filter as well': [
      ...drawn,
      wire('wire the sensor to the log', SENSOR, LOG),
      deploy,
    ],
    'takes the neighbouring mode': [
      ...drawn.slice(0, 4),
      describeNode('block unless value changes'),
      deploy,
    ],
    'deploys a node without a name': [...drawn.slice(0, 4), deploy],
  },
}
