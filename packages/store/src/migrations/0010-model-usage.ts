/**
 * Tokens of each run's model calls in groups, see ModelUsage of the model, and the cost that its source
 * states. Runs of before get their groups from their steps, whose details hold the model at [1] and
 * the usage at [9]; costs that sources state are read with the next import.
 */
export const modelUsage = `
ALTER TABLE runs ADD COLUMN modelUsageJson TEXT NOT NULL DEFAULT '[]';
ALTER TABLE runs ADD COLUMN recordedCostUsd TEXT;
CREATE TEMP TABLE callTokens AS
  SELECT runKey, seq, json_quote(model) AS modelJson,
    CASE (input IS NOT NULL) + (output IS NOT NULL) WHEN 2 THEN 'whole' WHEN 1 THEN 'part' ELSE 'none' END AS counts,
    CASE WHEN isApart THEN coalesce(input, 0) ELSE input - cacheRead - cacheWrite END AS fresh,
    cacheRead, cacheWrite, coalesce(output, 0) AS output,
    CASE WHEN input IS NULL THEN 0 WHEN isApart THEN input + cacheRead + cacheWrite > 200000 ELSE input > 200000 END AS isLong
  FROM (
    SELECT *, excludes = 1 OR input IS NULL OR cacheRead + cacheWrite > input AS isApart
    FROM (
      SELECT runKey, seq,
        json_extract(detailsJson, '$[1]') AS model,
        json_extract(detailsJson, '$[9].inputTokens') AS input,
        json_extract(detailsJson, '$[9].outputTokens') AS output,
        coalesce(json_extract(detailsJson, '$[9].cacheReadTokens'), 0) AS cacheRead,
        coalesce(json_extract(detailsJson, '$[9].cacheWriteTokens'), 0) AS cacheWrite,
        coalesce(json_extract(detailsJson, '$[9].inputExcludesCache'), 0) AS excludes
      FROM steps WHERE kind = 'model' OR json_type(detailsJson, '$[9]') = 'object'
    )
  );
CREATE TEMP TABLE groupedTokens AS
  SELECT runKey, min(seq) AS firstSeq, json_object(
    'model', json(modelJson), 'counts', counts, 'isLong', json(iif(isLong, 'true', 'false')),
    'isRecorded', json('false'), 'callCount', count(*), 'freshTokens', sum(fresh),
    'cacheReadTokens', sum(cacheRead), 'cacheWriteTokens', sum(cacheWrite),
    'outputTokens', sum(output), 'recordedPicoUsd', '0') AS groupJson
  FROM callTokens GROUP BY runKey, modelJson, counts, isLong;
CREATE INDEX temp.groupedTokensByRun ON groupedTokens (runKey, firstSeq);
UPDATE runs SET modelUsageJson = coalesce((
  SELECT '[' || group_concat(groupJson, ',') || ']'
  FROM (SELECT groupJson FROM groupedTokens WHERE runKey = runs.key ORDER BY firstSeq)
), '[]');
DROP TABLE callTokens;
DROP TABLE groupedTokens;
`;
