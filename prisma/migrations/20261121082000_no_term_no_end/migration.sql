-- least() passes over NULL: a contract without a term or an effective day seemed to end on 9999-12-31.
CREATE OR REPLACE FUNCTION term_end(effective timestamptz, months integer) RETURNS date
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN target IS NOT NULL THEN least(CASE
    WHEN extract(day FROM target) < extract(day FROM day) THEN target
    ELSE target - 1
  END, date '9999-12-31') END
  FROM (SELECT (effective AT TIME ZONE 'UTC')::date AS day,
               ((effective AT TIME ZONE 'UTC')::date + make_interval(months => months))::date AS target) AS term
$$;

-- Has the generated column of these worked out again.
UPDATE "contracts" SET "effective_date" = "effective_date" WHERE "effective_date" IS NULL OR "term_months" IS NULL;
