import type { Prices } from '@misstep/contract';
import { useState } from 'react';
import { type GivenPrice, usePrices, useResetPrice } from '../../api/prices.ts';
import { useTitle } from '../../state/use-title.ts';
import { Button } from '../../ui/button.tsx';
import { Chip } from '../../ui/chip.tsx';
import { classNames } from '../../ui/class-names.ts';
import { countOf, formatCount } from '../../ui/format-count.ts';
import { NotRecorded } from '../../ui/not-recorded.tsx';
import { Notice } from '../../ui/notice.tsx';
import page from '../../ui/page.module.css';
import { PanelHead } from '../../ui/panel-head.tsx';
import text from '../../ui/text.module.css';
import { ProblemLine, ProblemNotice } from '../shell/problem-notice.tsx';
import { StatusItem, StatusItems } from '../shell/status-items.tsx';
import { visibleLine } from '../step-panel/visible-text.ts';
import { PriceForm } from './price-form.tsx';
import styles from './prices-screen.module.css';

/** What a million tokens cost: models of runs without a price first, then yours, then the table. */
export function PricesScreen() {
  useTitle('Prices');
  const prices = usePrices();
  // Null = the form is closed; another object opens it anew.
  const [start, setStart] = useState<Partial<GivenPrice> | null>(null);
  const { data } = prices;
  return (
    <div className={page.screen}>
      <PanelHead
        level={1}
        title="Prices"
        note="that costs are worked out by; nothing is fetched, and prices age"
      >
        <Button small onClick={() => setStart({})}>
          Set a price
        </Button>
      </PanelHead>
      <div className={page.body}>
        {prices.isError ? (
          <ProblemNotice
            title="The prices can’t be listed"
            error={prices.error}
            onRetry={() => void prices.refetch()}
          />
        ) : null}
        {data === undefined || data.problem === null ? null : (
          <Notice title="Your prices are left out" icon="cross" tone="error">
            <span>{visibleLine(data.problem)}</span>
            <span className={text.secondary}>
              Mend the file or move it away; until then the table alone holds.
            </span>
          </Notice>
        )}
        {start === null ? null : (
          <PriceForm
            key={`${start.model ?? ''} ${start.input ?? ''}`}
            start={start}
            onDone={() => setStart(null)}
          />
        )}
        {data === undefined || data.unpricedModels.length === 0 ? null : (
          <Unpriced models={data.unpricedModels} onSet={(model) => setStart({ model })} />
        )}
      </div>
      {data === undefined ? null : <PriceTable prices={data} onEdit={setStart} />}
      <StatusItems>
        {data === undefined ? null : (
          <StatusItem>
            {countOf(data.prices.filter(({ isReplaced }) => !isReplaced).length, 'price')}, table of{' '}
            {data.tableDate}
          </StatusItem>
        )}
      </StatusItems>
    </div>
  );
}

function Unpriced(props: { models: Prices['unpricedModels']; onSet: (model: string) => void }) {
  return (
    <Notice title="No price" note="runs name these models; what they cost is not known">
      <table className={classNames(page.table, styles.table)}>
        <thead>
          <tr>
            <th scope="col">Model</th>
            <th scope="col" className={page.number}>
              Runs
            </th>
            <th scope="col" className={page.number}>
              Model calls
            </th>
            <th scope="col" className={page.number}>
              Tokens
            </th>
            <th scope="col">
              <span className={text.hidden}>Set</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {props.models.map(({ model, runCount, callCount, tokens }) => (
            <tr key={model}>
              <td className={text.mono}>{visibleLine(model)}</td>
              <td className={page.number}>{formatCount(runCount)}</td>
              <td className={page.number}>{formatCount(callCount)}</td>
              <td className={page.number}>{formatCount(tokens)}</td>
              <td className={page.number}>
                <Button
                  small
                  aria-label={`Set the price of ${model}`}
                  onClick={() => props.onSet(model)}
                >
                  Set
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Notice>
  );
}

const AMOUNTS = [
  { key: 'input', title: 'Input' },
  { key: 'cacheRead', title: 'Cache read' },
  { key: 'cacheWrite', title: 'Cache write' },
  { key: 'output', title: 'Output' },
] as const;

function PriceTable(props: { prices: Prices; onEdit: (price: GivenPrice) => void }) {
  const { prices, file, tableDate } = props.prices;
  const reset = useResetPrice();
  const shown = prices.filter(({ isReplaced }) => !isReplaced);
  const yours = prices.filter(({ origin }) => origin === 'yours').length;
  return (
    <>
      <PanelHead
        title="In use"
        note={`USD for a million tokens; the table was last gone through on ${tableDate}`}
      >
        {yours === 0 ? null : (
          <Button small unavailable={reset.isPending} onClick={() => reset.mutate(null)}>
            {`Take back ${yours === 1 ? 'yours' : `all ${yours} of yours`}`}
          </Button>
        )}
      </PanelHead>
      <div className={page.body}>
        {reset.isError ? <ProblemLine error={reset.error} /> : null}
        <table className={classNames(page.table, styles.table)}>
          <thead>
            <tr>
              <th scope="col">Model</th>
              {AMOUNTS.map(({ key, title }) => (
                <th key={key} scope="col" className={page.number}>
                  {title}
                </th>
              ))}
              <th scope="col">Since</th>
              <th scope="col" className={styles.minor}>
                Known from
              </th>
              <th scope="col">
                <span className={text.hidden}>Change</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {shown.map((price) => (
              <tr key={`${price.origin} ${price.model}`}>
                <td>
                  <span className={text.mono}>{visibleLine(price.model)}</span>{' '}
                  {price.origin === 'yours' ? <Chip>yours</Chip> : null}
                  {price.longInputCostsMore ? (
                    <Chip title="Calls with more than 200,000 input tokens cost more; theirs is a lower bound">
                      long input more
                    </Chip>
                  ) : null}
                </td>
                {AMOUNTS.map(({ key }) => (
                  <td key={key} className={page.number}>
                    {price[key] ?? <NotRecorded title="as other input" />}
                  </td>
                ))}
                <td className={page.still}>{price.date}</td>
                <td className={classNames(styles.minor, text.secondary)}>
                  {visibleLine(price.source)}
                </td>
                <td className={page.number}>
                  <Button
                    small
                    kind="quiet"
                    aria-label={`Change the price of ${price.model}`}
                    onClick={() =>
                      props.onEdit({
                        ...price,
                        source: price.origin === 'yours' ? price.source : '',
                      })
                    }
                  >
                    Change
                  </Button>
                  {price.origin === 'yours' ? (
                    <Button
                      small
                      kind="quiet"
                      aria-label={`Take your price of ${price.model} back`}
                      unavailable={reset.isPending}
                      onClick={() => reset.mutate(price.model)}
                    >
                      Reset
                    </Button>
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <span className={text.secondary}>
          {'Yours are kept in '}
          <code className={text.mono}>{visibleLine(file)}</code>
          {'. From a terminal: '}
          <code className={text.mono}>misstep prices</code>
        </span>
      </div>
    </>
  );
}
