use strict;
use warnings FATAL => 'all';

die 'this perl has no IEEE doubles' if length pack('F', 0) != 8;
my $INF = 9**9**9;
my $NAN = $INF - $INF;

sub column {
    my ($row, $name) = @_;
    die "column '$name' is not there" if !exists $row->{$name};
    return $row->{$name};
}

# The bucket of a number: its own, by its bits, or that of the rung it stands on.
sub rung {
    my ($ladder, $x) = @_;
    return $ladder->{missing} if !defined $x || $x != $x;
    my $reached = grep { $x >= $_ } @{$ladder->{cuts}};
    return $ladder->{named}{pack 'd', $x + 0} // $ladder->{rungs}[$reached];
}

# The bucket of a text.
sub named {
    my ($ladder, $x) = @_;
    return defined $x ? $ladder->{named}{$x} // $ladder->{other} : $ladder->{missing};
}

# Which of several truths is the first, or how many they are.
sub first_of {
    for my $place (0 .. $#_) { return $place if $_[$place] }
    return scalar @_;
}

# A number rounded to a double, where perl would go on with an integer of more digits.
sub double { return unpack 'd', pack 'd', $_[0] }

sub clamp {
    my ($x, $low, $high) = @_;
    return $x < $low ? $low : $x > $high ? $high : $x;
}

# The places of numbers, those of the largest first, the first of equal ones.
sub sorted { return sort { $_[$b] <=> $_[$a] || $a <=> $b } 0 .. $#_ }

# The codes that fall short, those that do most first, and by how much.
sub ranked {
    my @short = map { (sort { $b <=> $a } @$_)[0] } @_;
    my @codes = grep { $short[$_] > 0 } sorted(@short);
    return {code => \@codes, short => [@short[@codes]]};
}
