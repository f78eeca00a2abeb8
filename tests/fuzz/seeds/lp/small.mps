NAME          TEST
ROWS
 N  COST
 L  R1
 G  R2
COLUMNS
    X         COST         1.0   R1           1.0
    X         R2           1.0
    Y         COST         2.0   R1           1.0
    Y         R2           3.0
RHS
    RHS       R1           4.0   R2           1.0
BOUNDS
 UP BND       X            4.0
ENDATA
