/** `reprise completion`: what a shell loads to complete commands, options, workflows and runs. */
import { AppError } from '../../../shared/errors.ts'
import { command } from '../command.ts'
import { SCRIPTS } from '../completion/scripts.ts'

export const completionCommand = command({
  name: 'completion',
  purpose: 'Print what a shell needs to complete commands, workflows and runs',
  operands: { usage: 'bash|zsh|fish', min: 1, max: 1, needs: 'the name of your shell: bash, zsh or fish' },
  notes: ['Put the line of your shell below into its start-up file, so that it is loaded each time.'],
  options: {},
  examples: [
    { line: 'source <(reprise completion bash)', does: 'In ~/.bashrc' },
    { line: 'source <(reprise completion zsh)', does: 'In ~/.zshrc, after compinit' },
    { line: 'reprise completion fish | source', does: 'In ~/.config/fish/config.fish' },
  ],
  async run([shell = ''], _, context) {
    if (shell !== 'bash' && shell !== 'zsh' && shell !== 'fish')
      throw new AppError(
        'usage',
        `There is no completion for “${shell}”; there is one for bash, zsh and fish. See: reprise help completion`,
      )
    context.answer(SCRIPTS[shell])
    return 0
  },
})
