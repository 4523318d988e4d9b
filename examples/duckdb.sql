-- Views of the folder that pull.ts keeps: only files of changed days are written again.
--   node pull.ts copy && duckdb overheard.duckdb < duckdb.sql
-- A kind without any file has no view: leave its line out.
create or replace view scores as select * from read_json('copy/scores/*.json');
create or replace view detections as select * from read_json('copy/detections/*.json');
create or replace view answers as select * from read_json('copy/answers/*.json');
create or replace view hits as select * from read_json('copy/hits/*.json');

-- The citation rate of four weeks by engine: add up, then divide.
select engine, sum(citations) as citations, sum(total_runs) as runs,
       round(sum(citations) / sum(total_runs), 4) as rate
from scores
where date > current_date - 28
group by engine
order by engine;
