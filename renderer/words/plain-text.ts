/** Text of an agent without what a terminal would act on: escape sequences and control characters but newline and tab. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const ESCAPES = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?|[@-Z\\-_])/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is taken out
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g

export function plainText(text: string): string {
  return text.replace(ESCAPES, '').replace(CONTROLS, '')
}
