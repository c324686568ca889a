import type { BrowserActions, Target } from '#runner/libraries/action-surface.ts'
import type { Driver, DriverStep } from '#runner/libraries/driver.ts'

const RUNS = {
  lyon: { css: '#run-DSP-198', role: 'button', name: 'DSP-198 Rotterdam to Lyon' },
  lille: { css: '#run-DSP-201', role: 'button', name: 'DSP-201 Rotterdam to Lille' },
  malmo: { css: '#run-DSP-193', role: 'button', name: 'DSP-193 Aarhus to Malmö' },
} satisfies Record<string, Target>
const LOADING = { css: '#column-loading', role: 'group', name: 'Loading column' }
const ROAD = { css: '#column-on-the-road', role: 'group', name: 'On the road column' }

const COMPANY = 'Oak Textiles'
const ROW = `[data-company="${COMPANY}"]`
const CELL = {
  css: `${ROW} .edit-discount`,
  role: 'button',
  name: `Edit discount of ${COMPANY}: 2 %`,
}
const FIELD = { css: `${ROW} .input-discount`, role: 'textbox', name: `New discount of ${COMPANY}` }
const SAVE = { css: `${ROW} .save-discount`, role: 'button', name: `Save discount of ${COMPANY}` }
const CANCEL = {
  css: `${ROW} .cancel-discount`,
  role: 'button',
  name: `Cancel discount of ${COMPANY}`,
}

const openBoard: DriverStep = {
  name: 'open the board',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/board`)
    await page.waitText('DSP-198')
  },
}

const carry = (run: Target, column: Target): DriverStep => ({
  name: `drag ${run.name} to the ${column.name}`,
  run: async (page) => {
    await page.drag(run, column)
    await page.waitText((run.name ?? '').slice(0, 7), column)
  },
})

const assign = (driverName: string): DriverStep => ({
  name: `give DSP-193 its driver, ${driverName}`,
  run: async (page) => {
    await page.click(RUNS.malmo)
    await page.waitText('DSP-193', { css: '#run-title' })
    await page.select({ css: '#run-driver', role: 'combobox', name: 'Driver' }, driverName)
    await page.click({ css: '#save-run', role: 'button', name: 'Save run' })
    await page.waitText(driverName, RUNS.malmo)
  },
})

const findCustomer: DriverStep = {
  name: 'find the customer',
  checkpoint: true,
  run: async (page, { origin }) => {
    await page.open(`${origin}/customers`)
    await page.waitText('240 customers', { css: '#found' })
    await page.fill({ css: '#search', role: 'searchbox', name: 'Search customers' }, COMPANY)
    await page.waitText(`1 customer · “${COMPANY}”`, { css: '#found' })
  },
}

/** Begins to edit, unless the field is open from a try before. */
async function edit(page: BrowserActions, value: string) {
  if (!(await page.sees(FIELD))) await page.click(CELL)
  await page.fill(FIELD, value)
}

/** What was refused tells the highest discount there is. */
const setDiscount: DriverStep = {
  name: 'set the discount to what the plan allows',
  run: async (page) => {
    await edit(page, '20')
    await page.click(SAVE)
    await page.waitText('at most', { css: `${ROW} .problem` })
    const problem = await page.readText({ css: `${ROW} .problem` })
    const highest = /at most (\d+) %/.exec(problem)?.[1] ?? ''
    await page.fill(FIELD, highest)
    await page.click(SAVE)
    await page.waitText(`${highest} %`, { css: `${ROW} .edit-discount` })
  },
  done: async (page, { origin }) => {
    await findCustomer.run(page, { origin, files: {}, notes: new Map() })
    return !(await page.sees(CELL))
  },
}

const giveUp: DriverStep = {
  name: 'take the refusal for an answer',
  run: async (page) => {
    await edit(page, '20')
    await page.click(SAVE)
    await page.waitText('at most', { css: `${ROW} .problem` })
    await page.click(CANCEL)
  },
}

const forgetToSave: DriverStep = {
  name: 'write the discount and leave',
  run: (page) => edit(page, '15'),
}

const toLoading = carry(RUNS.lyon, LOADING)
const toRoad = carry(RUNS.malmo, ROAD)
const board = [openBoard, toLoading, assign('Ilse Brandt'), toRoad]

export const driver: Driver = {
  steps: [...board, findCustomer, setDiscount],
  wrong: {
    'wrong-run-from-rotterdam': [
      openBoard,
      carry(RUNS.lille, LOADING),
      assign('Ilse Brandt'),
      toRoad,
      findCustomer,
      setDiscount,
    ],
    'driver-of-a-like-name': [
      openBoard,
      toLoading,
      assign('Ilse Brink'),
      toRoad,
      findCustomer,
      setDiscount,
    ],
    'discount-not-changed': [...board, findCustomer, giveUp],
    'discount-not-saved': [...board, findCustomer, forgetToSave],
    'run-not-sent-off': [openBoard, toLoading, assign('Ilse Brandt'), findCustomer, setDiscount],
  },
}
