import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { valueOf } from '../support/run-script.ts'

const SOURCE = `
const texts = ['2024-03-10T02:30', '2024-03-10T02:30:00', '2024-03-10', '2024-03', '2024', '2024-03-10 02:30', 'March 10, 2024 02:30',
  '3/10/2024', '10-11-2024', 'Mar 7, 2024, 10:00 PM', 'Sun, 10 Mar 2024 02:30:00 EST', '2024-03-10T02:30:00+02:00', '2024-03-10 02:30:00 -0500',
  'Thu Jan 01 1970 00:00:00 GMT+0200 (CEST)', '2024-03-10T02:30:00Z']
const noon = new Date(2024, 6, 4, 12)
const invalid = new Date('nope')
return {
  texts: texts.map((text) => new Date(text).toISOString()),
  parse: texts.every((text) => Date.parse(text) === new Date(text).getTime()),
  parts: noon.toISOString(),
  local: [noon.getHours(), noon.getDay(), noon.getTimezoneOffset(), noon.setHours(1) - noon.setUTCHours(0)],
  printed: [String(new Date(0)), new Date(0).toDateString(), new Date(0).toTimeString(), new Date(0).toLocaleString(), JSON.stringify(new Date(0))],
  roundTrip: new Date(String(new Date(86_400_000))).getTime(),
  invalid: [String(invalid), invalid.toDateString(), invalid.toTimeString(), invalid.getTimezoneOffset()],
}`

const EXPECTED = {
  texts: [
    ...[
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T00:00:00.000Z',
      '2024-03-01T00:00:00.000Z',
      '2024-01-01T00:00:00.000Z',
    ],
    ...[
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T02:30:00.000Z',
      '2024-03-10T00:00:00.000Z',
      '2024-10-11T00:00:00.000Z',
      '2024-03-07T22:00:00.000Z',
    ],
    ...[
      '2024-03-10T07:30:00.000Z',
      '2024-03-10T00:30:00.000Z',
      '2024-03-10T07:30:00.000Z',
      '1969-12-31T22:00:00.000Z',
      '2024-03-10T02:30:00.000Z',
    ],
  ],
  parse: true,
  parts: '2024-07-04T12:00:00.000Z',
  local: [12, 4, 0, 3_600_000],
  printed: [
    'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)',
    'Thu Jan 01 1970',
    '00:00:00 GMT+0000 (Coordinated Universal Time)',
    'Thu Jan 01 1970 00:00:00 GMT+0000 (Coordinated Universal Time)',
    '"1970-01-01T00:00:00.000Z"',
  ],
  roundTrip: 86_400_000,
  invalid: ['Invalid Date', 'Invalid Date', 'Invalid Date', null],
}

describe.each(['America/New_York', 'Asia/Kolkata'])('on a machine in %s', (zone) => {
  const before = process.env['TZ']
  beforeAll(() => {
    process.env['TZ'] = zone
  })
  afterAll(() => {
    if (before === undefined) delete process.env['TZ']
    else process.env['TZ'] = before
  })

  test('dates are read, set and printed as UTC, and text that names its zone keeps it', async () => {
    expect(new Date(0).getHours()).not.toBe(0)
    expect(await valueOf(SOURCE)).toEqual(EXPECTED)
  })
})

test('new Date(x) takes what the language takes', async () => {
  const value =
    await valueOf(`const tries = [0, null, true, undefined, new Date(7), { valueOf: () => 5 }, { toString: () => '2024-01-01T00:00' }, new String('2024'), [2024]]
const refused = [5n, Symbol('x')].map((one) => { try { return new Date(one) } catch (error) { return error instanceof TypeError } })
class Day extends Date { tomorrow() { return this.getTime() + 1 } }
return [tries.map((one) => new Date(one).getTime()), refused, new Day(1).tomorrow(), new Day(1) instanceof Date, Date.name, Date.length, Date.UTC(1970, 0, 1, 0, 0, 1)]`)
  expect(value).toEqual([
    [0, 0, 1, null, 7, 5, 1_704_067_200_000, 1_704_067_200_000, 1_704_067_200_000],
    [true, true],
    2,
    true,
    'Date',
    7,
    1000,
  ])
})
