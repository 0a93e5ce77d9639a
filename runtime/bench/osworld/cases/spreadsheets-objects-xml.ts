// Writes the charts and pivot tables of model workbooks.

import type { ChartModel, PivotModel } from './spreadsheets-model.ts';
import { escaped, HEAD, MAIN, RELATIONS } from './spreadsheets-xml.ts';

const CHART = 'http://schemas.openxmlformats.org/drawingml/2006/chart';
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main';

export const drawingXml = (charts: readonly ChartModel[]): string =>
  `${HEAD}<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="${DRAWING}" ` +
  `xmlns:r="${RELATIONS}" xmlns:c="${CHART}">${charts.map(anchorXml).join('')}</xdr:wsDr>`;

function anchorXml({ from: [column, row], isOneCell }: ChartModel, index: number): string {
  const marker = (name: string, x: number, y: number): string =>
    `<xdr:${name}><xdr:col>${x}</xdr:col><xdr:colOff>0</xdr:colOff><xdr:row>${y}</xdr:row><xdr:rowOff>0</xdr:rowOff></xdr:${name}>`;
  const frame =
    `<xdr:graphicFrame macro=""><xdr:nvGraphicFramePr><xdr:cNvPr id="${index + 1}" name="Chart ${index + 1}"/>` +
    '<xdr:cNvGraphicFramePr/></xdr:nvGraphicFramePr><xdr:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/></xdr:xfrm>' +
    `<a:graphic><a:graphicData uri="${CHART}"><c:chart r:id="chart${index + 1}"/></a:graphicData></a:graphic>` +
    '</xdr:graphicFrame><xdr:clientData/>';
  return isOneCell
    ? `<xdr:oneCellAnchor>${marker('from', column, row)}<xdr:ext cx="5400000" cy="2700000"/>${frame}</xdr:oneCellAnchor>`
    : `<xdr:twoCellAnchor editAs="oneCell">${marker('from', column, row)}${marker('to', column + 6, row + 15)}${frame}</xdr:twoCellAnchor>`;
}

export function chartXml(chart: ChartModel): string {
  const legend =
    chart.legend === null
      ? ''
      : `<c:legend><c:legendPos val="${chart.legend}"/><c:overlay val="0"/></c:legend>`;
  return (
    `${HEAD}<c:chartSpace xmlns:c="${CHART}" xmlns:a="${DRAWING}" xmlns:r="${RELATIONS}"><c:roundedCorners val="0"/><c:chart>` +
    `${titleXml(chart.title)}<c:autoTitleDeleted val="${chart.title === null ? 1 : 0}"/><c:plotArea><c:layout/>` +
    `${plotXml(chart)}${axesXml(chart)}</c:plotArea>${legend}<c:plotVisOnly val="1"/><c:dispBlanksAs val="gap"/></c:chart></c:chartSpace>`
  );
}

/** An empty text is a title that follows the name of the series. */
function titleXml(title: string | null): string {
  if (title === null) return '';
  const text =
    title === ''
      ? ''
      : `<c:tx><c:rich><a:bodyPr rot="0"/><a:lstStyle/><a:p><a:pPr><a:defRPr sz="1300"/></a:pPr><a:r><a:rPr lang="en-US" sz="1300"/><a:t>${escaped(title)}</a:t></a:r></a:p></c:rich></c:tx>`;
  return `<c:title>${text}<c:overlay val="0"/></c:title>`;
}

function plotXml({ type, direction, series }: ChartModel): string {
  const before: Readonly<Record<ChartModel['type'], string>> = {
    barChart: `<c:barDir val="${direction}"/><c:grouping val="clustered"/><c:varyColors val="0"/>`,
    lineChart: '<c:grouping val="standard"/><c:varyColors val="0"/>',
    areaChart: '<c:grouping val="standard"/><c:varyColors val="0"/>',
    pieChart: '<c:varyColors val="1"/>',
    scatterChart: '<c:scatterStyle val="lineMarker"/><c:varyColors val="0"/>',
  };
  const after = type === 'pieChart' ? '<c:firstSliceAng val="0"/>' : '<c:axId val="111"/><c:axId val="222"/>';
  const each = series.map(({ values, categories, isNumeric }, index) => {
    const kind = isNumeric ? 'num' : 'str';
    const [cat, val] = type === 'scatterChart' ? ['xVal', 'yVal'] : ['cat', 'val'];
    const source =
      categories === null
        ? ''
        : `<c:${cat}><c:${kind}Ref><c:f>${escaped(categories)}</c:f></c:${kind}Ref></c:${cat}>`;
    return (
      `<c:ser><c:idx val="${index}"/><c:order val="${series.length - 1 - index}"/>${source}` +
      `<c:${val}><c:numRef><c:f>${escaped(values)}</c:f></c:numRef></c:${val}></c:ser>`
    );
  });
  return `<c:${type}>${before[type]}${each.join('')}${after}</c:${type}>`;
}

function axesXml({ type, xTitle, yTitle }: ChartModel): string {
  if (type === 'pieChart') return '';
  const axis = (name: string, id: number, other: number, position: string, title: string | null): string =>
    `<c:${name}><c:axId val="${id}"/><c:scaling><c:orientation val="minMax"/></c:scaling><c:delete val="0"/>` +
    `<c:axPos val="${position}"/>${titleXml(title)}<c:crossAx val="${other}"/></c:${name}>`;
  return (
    axis(type === 'scatterChart' ? 'valAx' : 'catAx', 111, 222, 'b', xTitle) +
    axis('valAx', 222, 111, 'l', yTitle)
  );
}

const ITEMS_PER_FIELD = 3;

export function pivotXml(pivot: PivotModel, cacheId: number): string {
  const { rowFields, columnFields, pageFields, dataFields } = pivot;
  const used = [...rowFields, ...columnFields, ...pageFields];
  const fields = Array.from({ length: pivot.fieldCount }, (_, index) => {
    if (!used.includes(index))
      return `<pivotField ${dataFields.some(({ field }) => field === index) ? 'dataField="1" ' : ''}compact="0" showAll="0"/>`;
    const axis = rowFields.includes(index)
      ? 'axisRow'
      : columnFields.includes(index)
        ? 'axisCol'
        : 'axisPage';
    const items = Array.from(
      { length: ITEMS_PER_FIELD },
      (_, item) => `<item ${pivot.hidden.includes(item) ? 'h="1" ' : ''}x="${item}"/>`,
    );
    return `<pivotField axis="${axis}" compact="0" showAll="0"><items count="${ITEMS_PER_FIELD + 1}">${items.join('')}<item t="default"/></items></pivotField>`;
  });
  const list = (name: string, entries: readonly string[]): string =>
    entries.length === 0 ? '' : `<${name} count="${entries.length}">${entries.join('')}</${name}>`;
  return (
    `${HEAD}<pivotTableDefinition xmlns="${MAIN}" name="${escaped(pivot.name)}" cacheId="${cacheId}" dataCaption="Values" ` +
    `${pivot.showHeaders ? '' : 'showHeaders="0" '}updatedVersion="6" minRefreshableVersion="3" createdVersion="6" indent="0" outline="1">` +
    `<location ref="${pivot.location}" firstHeaderRow="1" firstDataRow="2" firstDataCol="1"/>` +
    list('pivotFields', fields) +
    list(
      'rowFields',
      rowFields.map(field => `<field x="${field}"/>`),
    ) +
    list(
      'colFields',
      columnFields.map(field => `<field x="${field}"/>`),
    ) +
    list(
      'pageFields',
      pageFields.map(field => `<pageField fld="${field}" hier="-1"/>`),
    ) +
    list(
      'dataFields',
      dataFields.map(
        ({ field, name, subtotal }) =>
          `<dataField name="${escaped(name)}" fld="${field}"${subtotal === 'sum' ? '' : ` subtotal="${subtotal}"`} baseField="0" baseItem="0"/>`,
      ),
    ) +
    '</pivotTableDefinition>'
  );
}

export const cacheXml = ({ source, fieldCount }: PivotModel, sheet: string): string =>
  `${HEAD}<pivotCacheDefinition xmlns="${MAIN}" recordCount="0" refreshOnLoad="1" createdVersion="3"><cacheSource type="worksheet">` +
  `<worksheetSource ref="${source}" sheet="${escaped(sheet)}"/></cacheSource><cacheFields count="${fieldCount}">` +
  `${Array.from({ length: fieldCount }, (_, index) => `<cacheField name="Field ${index}" numFmtId="0"><sharedItems/></cacheField>`).join('')}` +
  '</cacheFields></pivotCacheDefinition>';
