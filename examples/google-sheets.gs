/**
 * Writes the scores of the last 180 days into the sheet "scores". In the script's properties set
 * OVERHEARD_URL and OVERHEARD_KEY, then add a daily trigger for pullScores.
 */
function pullScores() {
  const properties = PropertiesService.getScriptProperties();
  const response = UrlFetchApp.fetch(`${properties.getProperty('OVERHEARD_URL')}/api/v1/scores`, {
    headers: { Authorization: `Bearer ${properties.getProperty('OVERHEARD_KEY')}` },
    muteHttpExceptions: true,
  });
  const body = JSON.parse(response.getContentText());
  if (response.getResponseCode() !== 200) throw new Error(`${body.code}: ${body.detail}`);
  const columns = ['date', 'engine', 'citations', 'total_runs', 'sov'];
  const rows = [columns, ...body.scores.map((score) => columns.map((name) => score[name]))];
  const book = SpreadsheetApp.getActiveSpreadsheet();
  const sheet = book.getSheetByName('scores') || book.insertSheet('scores');
  sheet.clearContents();
  sheet.getRange(1, 1, rows.length, columns.length).setValues(rows);
}
